import Foundation

/// The headers of frames as JSON, and those that were written or read before: the pictures of a list differ in their
/// bytes, not in what is asked for, and a word on the way is one of a few.
///
/// For one side of one connection, in one thread.
package final class FrameHeaders<Header: Codable & Hashable> {
  /// Few differ; where all do, none is worth keeping.
  private static var limit: Int { 16 }
  private static var longest: Int { 16 << 10 }

  private var written: [Header: [UInt8]] = [:]
  private var seen: [[UInt8]: Header] = [:]
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  package init() {
    // A step may carry a target that is not a number: it has to arrive to be refused by its name.
    encoder.nonConformingFloatEncodingStrategy =
      .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    decoder.nonConformingFloatDecodingStrategy =
      .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  func json(of header: Header) throws -> [UInt8] {
    if let json = written[header] { return json }
    let json = Array(try encoder.encode(header))
    Self.keep(json, for: header, in: &written, size: json.count)
    return json
  }

  func header(of json: [UInt8]) throws -> Header {
    if let header = seen[json] { return header }
    let header: Header
    do { header = try decoder.decode(Header.self, from: Data(json)) } catch {
      throw RenderFrame.Failure.invalid("the frame header is not what was expected: \(error)")
    }
    Self.keep(header, for: json, in: &seen, size: json.count)
    return header
  }

  private static func keep<Key, Value>(
    _ value: Value, for key: Key, in known: inout [Key: Value], size: Int
  ) {
    guard size <= longest else { return }
    if known.count == limit { known.removeAll(keepingCapacity: true) }
    known[key] = value
  }
}
