import Text

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
    guard let roots else { return try LineReader(path: path) }
    let descriptor: Int32
    do throws(SystemCall.Failure) { descriptor = try roots.open(path) } catch { throw ReadFailure(error) }
    return try LineReader(descriptor: descriptor)
  }
}
