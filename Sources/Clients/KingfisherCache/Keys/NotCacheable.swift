/// Why a key has no file that Kingfisher could store or find.
public enum NotCacheable: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extension holds a slash, and Kingfisher does not make the folder that it then names.
  case subfolder(name: String)
  /// More than 255 bytes, which no file system of the devices takes.
  case nameTooLong(name: String)

  public var description: String {
    switch self {
    case .subfolder(let name):
      "Kingfisher looks for \"\(name)\", a file in a sub-folder that it never makes, so it can neither store nor find "
        + "this key; give the entry an id whose only dot is that of its file extension, or set no automatic extension"
    case .nameTooLong(let name):
      "the file name \"\(name.prefix(80))...\" has \(name.utf8.count) bytes; file systems take 255"
    }
  }
}
