import Foundation
import Text

/// Where a job's text comes from. It is read once.
package enum JobInput: Sendable, Hashable {
  /// A path, relative ones to the working directory.
  case file(String)
  case standardInput
  case text(name: String, bytes: [UInt8])

  /// How reports call standard input.
  static let standardInputName = "<stdin>"

  /// A job as a command line names it.
  package init(path: String) { self = path == "-" ? .standardInput : .file(path) }

  /// How reports call it.
  package var name: String { self == .standardInput ? Self.standardInputName : path }

  /// The path as given, `-` for standard input.
  package var path: String {
    switch self {
    case .file(let path): path
    case .standardInput: "-"
    case .text(let name, _): name
    }
  }

  /// What relative paths in the text are relative to, itself maybe relative to the working directory.
  package var folder: String { PathText.folder(of: path) }

  func reader(within roots: TrustedRoots?) throws(ReadFailure) -> LineReader {
    switch self {
    case .file(let path): try LineReader(descriptor: LineSource.descriptor(of: path, within: roots))
    case .standardInput: try LineReader(descriptor: dup(STDIN_FILENO))
    case .text(_, let bytes): LineReader(bytes: bytes)
    }
  }
}

/// Jobs, lists and catalogues as files.
enum LineSource {
  /// An open file; the caller closes it.
  static func descriptor(
    of path: String, within roots: TrustedRoots?, flags: Int32 = 0
  ) throws(ReadFailure) -> Int32 {
    do throws(SystemCall.Failure) {
      let descriptor =
        if let roots {
          try roots.open(path, flags: flags)
        } else {
          try SystemCall.check("open", path) { open(path, O_RDONLY | O_CLOEXEC | flags) }
        }
      ReadFiles.current.note(descriptor)
      return descriptor
    } catch {
      throw ReadFailure(error)
    }
  }
}
