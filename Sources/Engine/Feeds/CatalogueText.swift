import Bodies
import Foundation
import Text

/// A place in a text, both from 1; columns are Unicode scalars.
package struct TextPlace: Sendable, Hashable {
  package var line = 1
  package var column = 1

  package init(line: Int = 1, column: Int = 1) { (self.line, self.column) = (line, column) }
}

/// The text of a catalogue, byte by byte, and the place in it. gzip and a byte order mark come off; memory does not grow
/// with the text.
package struct CatalogueText {
  /// The next bytes of the file; none at its end.
  private let more: () throws(FeedFault) -> [UInt8]
  private var inflater: Inflater?
  private var packed: ArraySlice<UInt8> = []
  private var isBegun = false

  private var piece: [UInt8] = []
  private var index = 0
  private var count = 0
  private var isAtEnd = false
  private var isBehindReturn = false
  /// Of the next byte.
  package private(set) var place = TextPlace()

  /// - Parameter descriptor: closed at the end.
  package init(descriptor: Int32) {
    let file = OpenFile(descriptor: descriptor)
    more = { () throws(FeedFault) in try file.read() }
  }

  /// Text in memory.
  package init(bytes: [UInt8], pieces: Int = .max) {
    var rest = bytes[...]
    more = { () throws(FeedFault) in
      defer { rest = rest.dropFirst(pieces) }
      return Array(rest.prefix(pieces))
    }
  }

  // MARK: Bytes

  /// The next byte; nil at the end.
  package mutating func peek() throws(FeedFault) -> UInt8? {
    if index == piece.count, !isAtEnd { try refill() }
    return index < piece.count ? piece[index] : nil
  }

  /// Passes the byte that ``peek()`` gave.
  package mutating func skip() {
    advance(piece[index])
    index += 1
  }

  mutating func next() throws(FeedFault) -> UInt8? {
    guard let byte = try peek() else { return nil }
    skip()
    return byte
  }

  /// Appends what stands before the first byte that ends it, or before the end of the text.
  mutating func take(into bytes: inout [UInt8], until isEnd: (UInt8) -> Bool) throws(FeedFault) {
    while bytes.count <= FeedLimits.field, try peek() != nil {
      let start = index
      while index < piece.count, !isEnd(piece[index]) { skip() }
      bytes += piece[start..<index]
      if index < piece.count { return }
    }
  }

  /// Passes the rest of a line of NDJSON.
  mutating func skipLine() throws(FeedFault) {
    while let byte = try peek(), byte != 10 { skip() }
  }

  /// What has been read of the text's first line, before anything of it is taken.
  mutating func firstLine() throws(FeedFault) -> ArraySlice<UInt8> {
    _ = try peek()
    return piece[index...].prefix { $0 != 10 && $0 != 13 }
  }

  /// A line ends with LF, CR, or both.
  private mutating func advance(_ byte: UInt8) {
    if byte == 10 && isBehindReturn {
      isBehindReturn = false
    } else if byte == 10 || byte == 13 {
      place = TextPlace(line: place.line + 1, column: 1)
      isBehindReturn = byte == 13
    } else {
      isBehindReturn = false
      if byte & 0xC0 != 0x80 { place.column += 1 }
    }
  }

  // MARK: Pieces

  private mutating func refill() throws(FeedFault) {
    (piece, index) = ([], 0)
    while piece.isEmpty, !isAtEnd { try unpack() }
    count += piece.count
    guard count <= FeedLimits.bytes else { throw FeedFault("it is larger than 8 GiB") }
    guard count == piece.count else { return }
    if piece.starts(with: [0xFF, 0xFE]) || piece.starts(with: [0xFE, 0xFF]) {
      throw FeedFault("it is UTF-16", help: "save it as UTF-8")
    }
    if piece.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  private mutating func unpack() throws(FeedFault) {
    guard let inflater else {
      piece = try more()
      isAtEnd = piece.isEmpty
      if !isBegun, piece.starts(with: [0x1F, 0x8B]) {
        inflater = Inflater(.gzip)
        guard inflater != nil else { throw FeedFault("there is no memory to unpack it") }
        (packed, piece) = (piece[...], [])
      }
      isBegun = true
      return
    }
    if !inflater.canUnpack(packed) {
      packed = try more()[...]
      isAtEnd = packed.isEmpty
      guard inflater.isAtEnd || !isAtEnd else { throw FeedFault("its gzip ends too early") }
    }
    guard inflater.unpack(&packed, into: &piece) else { throw FeedFault("its gzip is damaged") }
  }
}

/// A file, closed with the last that reads it.
private final class OpenFile {
  private static let piece = 1 << 18

  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  func read() throws(FeedFault) -> [UInt8] {
    var failure: FeedFault?
    // A pipe gives whole pieces too: the reader looks at the first line of a text as a whole.
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, count in
      let read = SystemCall.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
      if read < 0 { failure = FeedFault(errno == EISDIR ? "it is a folder" : SystemCall.words(errno)) }
      count = max(0, read)
    }
    if let failure { throw failure }
    return bytes
  }
}
