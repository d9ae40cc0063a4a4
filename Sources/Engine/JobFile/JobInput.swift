import Foundation
import Settings
import Text

package struct StreamedLines: Sendable, Hashable {
  package var bytes: [UInt8]
  /// Of the first of them in the stream.
  package var firstNumber: Int

  package static let name = "<stdin>"

  package init(bytes: [UInt8], firstNumber: Int = 1) {
    self.bytes = bytes
    self.firstNumber = firstNumber
  }
}

/// Where a job's text comes from.
package enum JobInput: Sendable, Hashable {
  /// A path, relative ones to the working directory.
  case file(String)
  /// What was read from standard input; it is needed twice, so the caller has read it already.
  case standardInput([UInt8])
  case text(name: String, bytes: [UInt8])

  /// The same with the file's text, for a job that is read again: a pipe has its text once, a file may change.
  package func loaded(within roots: TrustedRoots? = nil) throws(ReadFailure) -> JobInput {
    guard case .file(let path) = self else { return self }
    return .text(name: path, bytes: try LineSource.bytes(of: path, within: roots))
  }

  /// How reports call it.
  package var name: String {
    if case .standardInput = self { StreamedLines.name } else { path }
  }

  /// The job with `line` at its end in place of its lines that name sources, and that line's number.
  package func asking(
    _ line: String, table: SettingTable = .jobs, within roots: TrustedRoots? = nil
  ) throws(ReadFailure) -> (input: JobInput, number: Int) {
    var bytes: [UInt8] = []
    var count = 0
    try LineSource(self, within: roots).forEachLine { text, number in
      if case .text(let text) = text, !Self.isForSource(text, table) { bytes += text }
      bytes.append(UInt8(ascii: "\n"))
      count = number
    }
    return (.text(name: path, bytes: bytes + Array(line.utf8)), count + 1)
  }

  /// Also a line that names a source wrongly: what is asked for is another one.
  private static func isForSource(_ text: ArraySlice<UInt8>, _ table: SettingTable) -> Bool {
    switch LineKind(text, table) {
    case .empty: false
    case .source: true
    case .setting(let row, _): row.name == JobRows.Structure.include.rawValue
    case .unknown(let word): UnknownLine(word, of: text, table, client: nil).meaning == .source
    }
  }

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
}

/// Text that can be read from its beginning as often as needed.
enum LineSource: Sendable {
  /// With the folders that it has to lie in, where that is so.
  case file(String, within: TrustedRoots?)
  case bytes([UInt8])

  /// Pipes and the like are read into memory at once, up to this size.
  private static let largestPipe = 256 << 20

  init(_ input: JobInput, within roots: TrustedRoots? = nil) throws(ReadFailure) {
    switch input {
    case .standardInput(let bytes), .text(_, let bytes): self = .bytes(bytes)
    case .file(let path):
      var reader = try Self.reader(path, roots)
      self =
        reader.isRegularFile
        ? .file(path, within: roots) : .bytes(try reader.rest(atMost: Self.largestPipe))
    }
  }

  static func bytes(of path: String, within roots: TrustedRoots?) throws(ReadFailure) -> [UInt8] {
    var reader = try reader(path, roots)
    return try reader.rest(atMost: largestPipe)
  }

  /// Calls `body` with each line and its number, from 1.
  package func forEachLine(_ body: (LineReader.Line, Int) -> Void) throws(ReadFailure) {
    var reader = try reader()
    var number = 0
    while let line = try reader.next() {
      number += 1
      body(line, number)
    }
  }

  private func reader() throws(ReadFailure) -> LineReader {
    switch self {
    case .file(let path, let roots): try Self.reader(path, roots)
    case .bytes(let bytes): LineReader(bytes: bytes)
    }
  }

  private static func reader(_ path: String, _ roots: TrustedRoots?) throws(ReadFailure) -> LineReader {
    try LineReader(descriptor: descriptor(of: path, within: roots))
  }

  /// An open file; the caller closes it.
  static func descriptor(of path: String, within roots: TrustedRoots?) throws(ReadFailure) -> Int32 {
    do throws(SystemCall.Failure) {
      if let roots { return try roots.open(path) }
      return try SystemCall.check("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
    } catch {
      throw ReadFailure(error)
    }
  }
}
