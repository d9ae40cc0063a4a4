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
        do throws(FeedFault) { try walker.value(0, &skim) } catch { break }
      } while isLines
      fields = skim.nodes.indices.compactMap { place in
        guard !skim.nodes[place].values.isEmpty else { return nil }
        var field = Self.field(skim.way(to: place), isLine: isLines)
        field?.values = skim.nodes[place].values
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
      for value in row.values {
        let text = String(decoding: row[value], as: UTF8.self)
        if text.excessiveMark == nil { values[value.field].append(text) }
      }
    }
    let columns = Dictionary(grouping: names.indices) { names[$0] }
    for (name, values) in zip(names, values) where !name.isEmpty && columns[name]?.count == 1 {
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

/// The values of a JSON text by their ways from the root: a tree of names, in which `*` stands for each element.
private struct JSONSkim: JSONVisitor {
  struct Entry {
    var parent: Int
    var name: [UInt8]
    /// Bytes of the way to it.
    var size: Int
    /// The first ones.
    var values: [String] = []
  }

  private struct Place: Hashable {
    var parent: Int
    var name: [UInt8]
  }

  /// In the order of the text; the root comes first.
  private(set) var nodes = [Entry(parent: -1, name: [], size: 0)]
  private var places: [Place: Int] = [:]

  /// - Returns: nil for what is not looked at: too deep in long names, or one name too many.
  mutating func child(_ step: JSONStep, of parent: inout Int?, at place: TextPlace) -> Int? {
    guard let parent else { return nil }
    let name = if case .member(let name) = step { name } else { [UInt8(ascii: "*")] }
    let size = nodes[parent].size + name.count + 1
    guard size <= FeedLimits.way else { return nil }
    let place = Place(parent: parent, name: name)
    if let known = places[place] { return known }
    guard nodes.count <= FeedLimits.columns, String(decoding: name, as: UTF8.self).excessiveMark == nil else {
      return nil
    }
    places[place] = nodes.count
    nodes.append(Entry(parent: parent, name: name, size: size))
    return nodes.count - 1
  }

  func way(to place: Int) -> [String] {
    var (way, place) = ([String](), place)
    while place > 0 {
      way.append(String(decoding: nodes[place].name, as: UTF8.self))
      place = nodes[place].parent
    }
    return way.reversed()
  }

  mutating func begin(_ place: inout Int?, isArray: Bool) {}
  mutating func end(_ place: Int?) {}

  mutating func scalar(_ text: [UInt8]?, _ place: Int?) {
    guard let text, let place, nodes[place].values.count < FeedOutline.samples else { return }
    let value = String(decoding: text, as: UTF8.self)
    if value.excessiveMark == nil { nodes[place].values.append(value) }
  }
}
