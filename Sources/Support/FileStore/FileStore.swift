import Text

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A flat folder of files that are whole or absent.
///
/// A file is written under a temporary name and renamed, never in place, so a reader sees the old bytes or
/// the new ones and a process that dies leaves nothing torn. Temporaries lie hidden in the folder itself or
/// in another folder of the same file system. The value holds no state and no descriptor: any number of
/// threads and processes may use the same folder.
package struct FileStore: Sendable {
  package let folder: URL
  /// Where unfinished files lie: the folder itself, where they are hidden, if no other was given.
  package let temporaryFolder: URL

  package let path: String
  private let pathPrefix: String
  let temporaryPath: String

  /// Creates the folders, with those above them.
  ///
  /// - Parameter temporaryFolder: must be on the same file system as `folder`.
  package init(folder: URL, temporaryFolder: URL? = nil) throws(FileStoreError) {
    self.folder = folder
    self.temporaryFolder = temporaryFolder ?? folder
    path = folder.path
    pathPrefix = path + "/"
    temporaryPath = self.temporaryFolder.path
    try createFolders()
  }

  /// For those who only read: nothing is created.
  package init(existing folder: URL) {
    self.folder = folder
    temporaryFolder = folder
    path = folder.path
    pathPrefix = path + "/"
    temporaryPath = path
  }

  /// Where a file of this name lies or would lie; nil if the text cannot be a file's name.
  package func url(for name: String) -> URL? {
    Self.isFileName(name) ? folder.appendingPathComponent(name) : nil
  }

  /// Whether text can be the name of a file in this folder and nowhere else. Names may come from an app's
  /// own code and so from a URL: one with a slash would reach outside.
  package static func isFileName(_ text: String) -> Bool {
    guard !text.isEmpty, text != ".", text != ".." else { return false }
    let slash = UInt8(ascii: "/")
    // Every read asks; over contiguous bytes it costs a tenth of what it does over the view.
    let isPlain = text.utf8.withContiguousStorageIfAvailable { !$0.contains(slash) && !$0.contains(0) }
    return isPlain ?? !text.utf8.contains { $0 == slash || $0 == 0 }
  }

  func createFolders() throws(FileStoreError) {
    try makeFolder(path)
    if temporaryPath != path { try makeFolder(temporaryPath) }
  }

  /// Runs a write, and runs it once more in a new folder if the folder has vanished meanwhile.
  func recreatingFolders(_ write: () throws(FileStoreError) -> Void) throws(FileStoreError) {
    do {
      try write()
    } catch  where error.reason == .notFound {
      try createFolders()
      try write()
    }
  }

  package func path(of name: String) -> String { pathPrefix + name }
}

/// Why a file of a store could not be read, written, listed or removed.
public struct FileStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public let operation: Operation
  /// The file or folder that was meant.
  public let path: String
  public let reason: Reason

  public enum Operation: String, Hashable, Sendable {
    case createFolder, read, write, publish, synchronize, setDates, list, remove
  }

  /// The causes that call for different answers; everything else keeps its error number.
  public enum Reason: Hashable, Sendable {
    case notFound, notPermitted, readOnly, noSpace, tooManyOpenFiles, inputOutput, notAFolder, invalidName
    case isAFolder, otherFileSystem
    case other(number: Int32)
  }

  public init(_ operation: Operation, path: String, reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// Whether trying again without anyone's help can succeed.
  public var isRetryable: Bool { reason == .tooManyOpenFiles }

  public var description: String { "Cannot \(operation.words) \(path): \(reason)" }
}

extension FileStoreError.Operation {
  fileprivate var words: String {
    switch self {
    case .createFolder: "create the folder"
    case .read: "read"
    case .write: "write"
    case .publish: "put in place"
    case .synchronize: "synchronise"
    case .setDates: "set the dates of"
    case .list: "list"
    case .remove: "remove"
    }
  }
}

extension FileStoreError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFound: "it does not exist."
    case .notPermitted: "permission denied. Check the owner and the mode of the folder."
    case .readOnly: "the file system is read-only. Choose another folder."
    case .noSpace: "no space or quota left. Free some space or choose another folder."
    case .tooManyOpenFiles: "too many open files. Raise the limit (ulimit -n) or do less at a time."
    case .inputOutput: "the device reports an input/output error. Check the disk."
    case .notAFolder: "something that is not a folder is in the way. Move it or choose another folder."
    case .isAFolder: "a folder of that name is in the way. Move it."
    case .otherFileSystem:
      "its temporary folder is on another file system. Put both on one; a mount point needs a folder inside it."
    case .invalidName: "a file name must not be empty, hold a slash or be a dot. Check the name generator."
    case .other(let number): "the system says error \(number) (\(SystemCall.words(number)))."
    }
  }
}
