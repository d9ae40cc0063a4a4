import Foundation
import Text

/// Why a file of a store could not be read, written, listed or removed.
public struct FileStoreError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  public let operation: Operation
  /// The file or folder that was meant.
  public let path: String
  /// Why it failed.
  public let reason: Reason

  /// What is done to files. To publish is to put a whole file in the place of its name.
  public enum Operation: String, Hashable, Sendable {
    /// To synchronize is to have the device keep it.
    case createFolder, read, write, publish, synchronize, setDates, list, remove

    fileprivate var words: String {
      switch self {
      case .createFolder: "create the folder"
      case .publish: "put in place"
      case .synchronize: "synchronise"
      case .setDates: "set the dates of"
      case .read, .write, .list, .remove: rawValue
      }
    }
  }

  /// The causes that call for different answers; everything else keeps its error number.
  public enum Reason: Hashable, Sendable {
    /// There is no such file or folder.
    case notFound
    /// The process may not do it.
    case notPermitted
    /// The file system takes no writes.
    case readOnly
    /// The file system or the user's quota is full.
    case noSpace
    /// The process has too many files open.
    case tooManyOpenFiles
    /// The device reports an error.
    case inputOutput
    /// Something that is not a folder is in the way.
    case notAFolder
    /// A name that no file may have.
    case invalidName
    /// A folder is in the way.
    case isAFolder
    /// Two folders that belong together lie on two file systems.
    case otherFileSystem
    /// Another process keeps the file to itself; its name, where it is known.
    case locked(by: String?)
    /// The message of a library that gives no error number.
    case failed(message: String)
    /// Any other error number of the system.
    case other(number: Int32)
  }

  /// An error, for stores of an app's own and for tests.
  public init(_ operation: Operation, path: String, reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// Whether trying again without anyone's help can succeed.
  public var isRetryable: Bool { reason == .tooManyOpenFiles }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }

  /// A sentence for people with the path and what to do.
  public var description: String { "Cannot \(operation.words) \(path): \(reason)" }

  /// The file was not read because of its size.
  package var isTooLarge: Bool { if case .failed = reason { true } else { false } }

  /// The file system has no such call, or no locks.
  var isUnsupported: Bool {
    if case .other(let number) = reason { SystemCall.isUnsupported(number) } else { false }
  }

  /// The error that the last system call left in `errno`.
  package static func last(_ operation: Operation, path: String) -> FileStoreError {
    FileStoreError(operation, path: path, reason: Reason(number: errno))
  }
}

extension FileStoreError.Reason: CustomStringConvertible {
  /// A clause for people, with what to do.
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
    case .locked(let holder):
      "it is locked by \(holder ?? "another process"). Wait for that process to end, and try again."
    case .failed(let message): "\(message)."
    case .other(let number): "the system says error \(number) (\(SystemCall.words(number)))."
    }
  }

  package init(number: Int32) {
    self =
      switch number {
      case ENOENT: .notFound
      case EACCES, EPERM: .notPermitted
      case EROFS: .readOnly
      // The last is a limit on the size of files, a kind of quota.
      case ENOSPC, EDQUOT, EFBIG: .noSpace
      case EMFILE, ENFILE: .tooManyOpenFiles
      case EIO: .inputOutput
      case ENOTDIR, EEXIST: .notAFolder
      case EISDIR: .isAFolder
      case EXDEV: .otherFileSystem
      default: .other(number: number)
      }
  }
}
