import Concurrency
import Foundation

/// The headers of frames as JSON, and those that were written or read before: the pictures of a list differ in their
/// bytes, not in what is asked for, and a word on the way is one of a few.
///
/// For one side of one connection, in one thread.
package final class FrameHeaders<Header: Codable & Hashable> {
  private var written = LRUCache<Header, [UInt8]>(costLimit: 256 << 10, countLimit: 16)
  private var seen = LRUCache<[UInt8], Header>(costLimit: 256 << 10, countLimit: 16)
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
    if let json = written.value(forKey: header) { return json }
    let json = Array(try encoder.encode(header))
    written.insert(json, forKey: header, cost: json.count)
    return json
  }

  func header(of json: [UInt8]) throws -> Header {
    if let header = seen.value(forKey: json) { return header }
    let header: Header
    do { header = try decoder.decode(Header.self, from: Data(json)) } catch {
      throw RenderFrame.Failure.invalid("the frame header is not what was expected: \(error)")
    }
    seen.insert(header, forKey: json, cost: json.count)
    return header
  }
}
