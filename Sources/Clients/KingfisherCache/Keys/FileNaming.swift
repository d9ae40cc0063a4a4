/// What an app has set that shows in the names of its cache files. By default a name is a bare hash.
public struct FileNaming: Hashable, Sendable {
  /// `DiskStorage.Config.pathExtension`, used as it is: `.jpg` gives two dots.
  public var pathExtension: String?
  /// `DiskStorage.Config.autoExtAfterHashedFileName` (since 6.3.0): the extension is taken from the key.
  public var autoExtension: Bool
  /// The request's `forcedCacheFileExtension` (since 8.1.0), which goes before the others.
  public var forcedExtension: String?

  public init(pathExtension: String? = nil, autoExtension: Bool = false, forcedExtension: String? = nil) {
    self.pathExtension = pathExtension
    self.autoExtension = autoExtension
    self.forcedExtension = forcedExtension
  }
}
