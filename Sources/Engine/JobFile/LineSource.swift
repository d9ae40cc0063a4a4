import Text

/// Text that can be read from its beginning as often as needed.
enum LineSource: Sendable {
  case file(String)
  case bytes([UInt8])

  /// Pipes and the like are read into memory at once, up to this size.
  private static let largestPipe = 256 << 20

  init(_ input: JobInput) throws(ReadFailure) {
    switch input {
    case .standardInput(let bytes), .text(_, let bytes): self = .bytes(bytes)
    case .file(let path):
      var reader = try LineReader(path: path)
      self = reader.isRegularFile ? .file(path) : .bytes(try reader.rest(atMost: Self.largestPipe))
    }
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
    case .file(let path): try LineReader(path: path)
    case .bytes(let bytes): LineReader(bytes: bytes)
    }
  }
}
