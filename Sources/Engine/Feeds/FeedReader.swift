import Foundation
import Syntax
import Text

/// Reads a catalogue from its beginning to its end, one row after the other: memory does not grow with it.
package struct FeedReader: ~Copyable {
  private static let piece = 1 << 18

  private let descriptor: Int32

  /// - Parameter descriptor: closed at the end.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Calls `take` with each row that follows the header, and with what is wrong with rows.
  ///
  /// - Throws: what is wrong with the catalogue as a whole.
  package borrowing func forEach(
    _ query: FeedQuery, _ take: (FeedEvent) -> Void
  ) throws(FeedFault) {
    var text = FeedText(query)
    _ = try forEachPiece { (piece) throws(FeedFault) in
      try text.read(piece, take)
      return true
    }
    try text.finish(take)
  }

  /// The fields that the first rows have.
  package borrowing func outline(as format: FeedFormat) throws(FeedFault) -> FeedOutline {
    let beginning = FeedBeginning()
    var text = FeedText(beginning)
    let isWhole = try forEachPiece { (piece) throws(FeedFault) in
      try text.read(piece) { _ in }
      return beginning.bytes.count < FeedBeginning.most
    }
    return try FeedOutline(beginning.bytes, isWhole: isWhole, format)
  }

  /// - Returns: whether `take` wanted all pieces.
  private borrowing func forEachPiece(
    _ take: (UnsafeBufferPointer<UInt8>) throws(FeedFault) -> Bool
  ) throws(FeedFault) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      // A pipe gives whole pieces too: the beginning of a text is looked at once.
      let count = SystemCall.read(descriptor, into: buffer)
      if count < 0 {
        throw FeedFault(errno == EISDIR ? "it is a folder" : SystemCall.words(errno))
      }
      if count == 0 { return true }
      let piece = UnsafeBufferPointer(rebasing: buffer.bindMemory(to: UInt8.self).prefix(count))
      if try !take(piece) { return false }
    }
  }

  /// The same of text in memory.
  package static func forEach(
    in bytes: [UInt8], _ query: FeedQuery, pieces: Int = piece, _ take: (FeedEvent) -> Void
  ) throws(FeedFault) {
    var text = FeedText(query)
    var start = 0
    while start < bytes.count {
      let end = min(start + pieces, bytes.count)
      try bytes[start..<end].withUnsafeBufferPointer { (piece) throws(FeedFault) in try text.read(piece, take)
      }
      start = end
    }
    try text.finish(take)
  }
}

/// The pieces of a catalogue on their way to its parser: gzip and a byte order mark come off.
private struct FeedText {
  private var parser: any FeedParser
  private var gzip: GzipText?
  private var isBegun = false
  private var isTextBegun = false
  private var count = 0

  init(_ query: FeedQuery) {
    let parser: any FeedParser =
      switch query.format {
      case .csv, .tsv: DelimitedParser(query)
      case .json, .ndjson: JSONParser(query)
      case .xml: SitemapParser(query)
      }
    self.init(parser)
  }

  init(_ parser: any FeedParser) { self.parser = parser }

  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ take: (FeedEvent) -> Void
  ) throws(FeedFault) {
    if !isBegun {
      isBegun = true
      if bytes.starts(with: [0x1F, 0x8B]) { gzip = try GzipText() }
    }
    guard let gzip else { return try parse(bytes, take) }
    try gzip.unpack(bytes) { (unpacked) throws(FeedFault) in try parse(unpacked, take) }
  }

  mutating func finish(_ take: (FeedEvent) -> Void) throws(FeedFault) {
    try gzip?.finish()
    try parser.finish(take)
  }

  private mutating func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ take: (FeedEvent) -> Void
  ) throws(FeedFault) {
    var bytes = bytes
    count += bytes.count
    guard count <= FeedLimits.bytes else { throw FeedFault("it is larger than 8 GiB") }
    if !isTextBegun, !bytes.isEmpty {
      isTextBegun = true
      if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
        throw FeedFault("it is UTF-16", help: "save it as UTF-8")
      }
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = UnsafeBufferPointer(rebasing: bytes.dropFirst(3)) }
    }
    try parser.read(bytes, take)
  }
}

/// The names that a catalogue has, for advice.
enum FeedNames {
  /// - Parameter names: those that are there.
  static func help(_ names: [String], for field: String) -> String {
    let shown = names.prefix(12).map(Mistake.quote).joined(separator: ", ")
    let all = names.isEmpty ? "it has none" : "it has \(shown)\(names.count > 12 ? ", ..." : "")"
    let same = names.first { $0.lowercased() == field.lowercased() }
    return Mistake.suggestion(same ?? WordDistance.nearest(field, in: names)).map { "\($0) \(all)" } ?? all
  }
}
