import Foundation

/// The first values of a catalogue, for the line that includes it.
package enum FeedSample {
  /// A value as a query names it.
  package struct Value: Sendable {
    package var name: String
    /// The JSON Pointer of its rows, where a query has to say it.
    package var rows: String?
    package var isURL: Bool
  }

  /// The number of values that are looked at.
  fileprivate static let most = 1000

  /// - Throws: why the catalogue cannot be read.
  package static func values(in text: CatalogueText, _ format: FeedFormat) throws(FeedFault) -> [Value] {
    switch format {
    case .csv, .tsv:
      var values: [Value] = []
      var reader = try DelimitedReader(text, format, fields: nil)
      // A name that two columns have belongs to neither.
      let columns = Dictionary(grouping: reader.header.filter { !$0.isEmpty }) { $0 }
      while values.count < most, let event = try reader.next() {
        guard case .row(let row) = event else { continue }
        for value in row.values where columns[reader.header[value.field]]?.count == 1 {
          values.append(Value(name: reader.header[value.field], isURL: FeedFormat.isURL(row[value])))
        }
      }
      return values
    case .json, .ndjson:
      var sample = JSONSample(isLines: format == .ndjson)
      var walker = JSONWalker(text, mostLevels: FeedLimits.depth)
      repeat {
        // What is wrong behind the first values is said by the plan.
        do throws(FeedFault) { try walker.value(([], 0), &sample) } catch { break }
      } while format == .ndjson
      return sample.values
    }
  }
}

private struct JSONSample: JSONVisitor {
  /// The way from the root, in which `*` stands for each element, and its bytes; nil for one that is too long to say.
  typealias Node = (way: [String], size: Int)?

  let isLines: Bool
  private(set) var values: [FeedSample.Value] = []
  private var count = 0

  init(isLines: Bool) { self.isLines = isLines }

  mutating func child(
    _ step: JSONStep, of node: inout Node, at place: TextPlace
  ) throws(FeedFault) -> Node {
    count += 1
    // However large the catalogue is, it begins with its rows.
    guard count <= 100 * FeedSample.most, values.count < FeedSample.most else { throw FeedFault("enough") }
    let name = if case .member(let name) = step { name } else { [UInt8(ascii: "*")] }
    guard let parent = node, parent.size + name.count < FeedLimits.way else { return nil }
    return (parent.way + [String(decoding: name, as: UTF8.self)], parent.size + name.count + 1)
  }

  mutating func begin(_ node: inout Node, isArray: Bool) {}
  mutating func end(_ node: Node) {}

  mutating func scalar(_ text: [UInt8]?, _ node: Node) {
    guard let text, let way = node?.way, let rows = isLines ? 0 : way.firstIndex(of: "*") else { return }
    let field = way.dropFirst(isLines ? 0 : rows + 1)
    let isMember = field.count == 1 && !["*", ""].contains(field.first) && field.first?.first != "/"
    values.append(
      FeedSample.Value(
        name: isMember ? field.joined() : Self.pointer(field),
        rows: rows == 0 ? nil : Self.pointer(way[..<rows]), isURL: FeedFormat.isURL(text[...])))
  }

  private static func pointer(_ way: ArraySlice<String>) -> String {
    way.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }
}

extension FeedFormat {
  /// Whether a text is one URL of a server.
  fileprivate static func isURL(_ text: ArraySlice<UInt8>) -> Bool {
    isWeb(String(decoding: text.prefix(8), as: UTF8.self)) && !text.contains { $0 <= 0x20 }
  }
}
