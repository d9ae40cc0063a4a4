/// Which fields the first rows of a catalogue have, for the line that includes it.
package struct FeedOutline: Sendable {
  package struct Field: Sendable {
    /// As a query names it.
    package var name: String
    /// The JSON Pointer of its rows, where a query has to say it.
    package var rows: String?
    /// Of the first rows that have one.
    package internal(set) var values: [String] = []
  }

  /// The most values of a field that are looked at.
  static let samples = 100
  /// Bytes of the text that are looked at.
  package static let most = 1 << 20

  /// In the order of the text.
  package private(set) var fields: [Field] = []

  /// - Parameter text: at least its beginning.
  package init(_ text: CatalogueText, _ format: FeedFormat) throws(FeedFault) {
    switch format {
    case .csv, .tsv: try read(DelimitedReader(text, format, fields: nil))
    case .json, .ndjson:
      let isLines = format == .ndjson
      var skim = JSONSkim()
      var walker = JSONWalker(text, mostLevels: FeedLimits.depth)
      // What is cut or damaged has shown its first rows; a run reads all of it.
      repeat {
        do throws(FeedFault) { try walker.value([], &skim) } catch { break }
      } while isLines
      fields = skim.values.compactMap { way, values in
        var field = Self.field(way, isLine: isLines)
        field?.values = values
        return field
      }
    }
  }

  /// A name that two columns have belongs to neither.
  private mutating func read(_ rows: DelimitedReader) throws(FeedFault) {
    var rows = rows
    let names = rows.header
    var values = names.map { _ in [String]() }
    for _ in 0..<Self.samples {
      // A row at the end of a part may be cut.
      guard let event = try rows.next(), !rows.isCut else { break }
      guard case .row(let row) = event else { continue }
      for value in row.values { values[value.field].append(String(decoding: row[value], as: UTF8.self)) }
    }
    for (name, values) in zip(names, values) where !name.isEmpty && names.count(where: { $0 == name }) == 1 {
      fields.append(Field(name: name, values: values))
    }
  }

  /// What a query calls a value on its way from the root of a JSON text; nil for one in no row.
  private static func field(_ way: [String], isLine: Bool) -> Field? {
    var (rows, way) = ([String](), way[...])
    if !isLine {
      guard let star = way.firstIndex(of: "*") else { return nil }
      rows = Array(way[..<star])
      way = way[(star + 1)...]
    }
    let isMember = way.count == 1 && way.first != "*" && way.first != ""
    let name = isMember && way.first?.hasPrefix("/") == false ? way.joined() : pointer(way)
    return Field(name: name, rows: rows.isEmpty ? nil : pointer(rows[...]))
  }

  private static func pointer(_ way: ArraySlice<String>) -> String {
    way.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }
}

/// The values of a JSON text by their ways from the root; `*` stands for each element.
private struct JSONSkim: JSONVisitor {
  /// In the order of the text; of each way the first values.
  private(set) var values: [(way: [String], values: [String])] = []
  private var places: [[String]: Int] = [:]

  mutating func child(_ step: JSONStep, of way: inout [String], at place: TextPlace) -> [String] {
    guard case .member(let name) = step else { return way + ["*"] }
    return way + [String(decoding: name, as: UTF8.self)]
  }

  mutating func begin(_ way: inout [String], isArray: Bool) {}
  mutating func end(_ way: [String]) {}

  mutating func scalar(_ text: [UInt8]?, _ way: [String]) {
    guard let text else { return }
    let value = String(decoding: text, as: UTF8.self)
    if let place = places[way] {
      if values[place].values.count < FeedOutline.samples { values[place].values.append(value) }
    } else if values.count < FeedLimits.columns {
      places[way] = values.count
      values.append((way, [value]))
    }
  }
}
