import Bodies
import ClientKit
import Feeds
import Syntax

/// What `include` can say of the fields of a catalogue, behind its path.
package enum FeedOption: String, CaseIterable, Sendable {
  case url, id, priority, expires, `where`, rows, format, base, split

  var example: String {
    switch self {
    case .url: "url=image, or url=https://cdn.example/{sku}.jpg"
    case .id: "id=sku"
    case .priority: "priority=rank, or priority=high"
    case .expires: "expires=until, or expires=7d"
    case .where: "where=status=active"
    case .rows: "rows=/products"
    case .format: "format=csv"
    case .base: "base=https://shop.example"
    case .split: "split=\",\""
    }
  }

  /// Whether a text says the value itself and names no field.
  func isConstant(_ text: String) -> Bool {
    switch self {
    case .priority: return RequestPriority.allCases.contains { "\($0)" == text }
    case .expires:
      var scanner = LineScanner(Array(QuotedText.quoted(text).utf8)[...])
      return (try? EntryExpiry.read(&scanner)) != nil
    default: return false
    }
  }
}

/// An option's value and its place in the line.
struct FeedText: Sendable {
  var text: String
  var offset: Int
}

/// Text with the names of fields in it: `image`, or `https://cdn.example/{sku}.jpg`.
struct FieldTemplate: Sendable {
  enum Part: Sendable {
    case text([UInt8])
    /// The number of a field in the query.
    case field(Int)
  }

  private(set) var parts: [Part] = []

  /// - Parameter fields: gets the fields that are new.
  init(_ option: FeedText, _ fields: inout [String]) throws(Mistake) {
    guard option.text.contains("{") else {
      parts = [.field(Self.number(of: option.text, &fields))]
      return
    }
    var rest = option.text[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw Mistake(option.offset, "'{' is not closed", help: "a field in a template is {NAME}")
      }
      if open > rest.startIndex { parts.append(.text(Array(rest[..<open].utf8))) }
      parts.append(.field(Self.number(of: String(rest[rest.index(after: open)..<close]), &fields)))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(Array(rest.utf8))) }
  }

  private static func number(of field: String, _ fields: inout [String]) -> Int {
    if let known = fields.firstIndex(of: field) { return known }
    fields.append(field)
    return fields.count - 1
  }

  /// The field, where the template is nothing else.
  var onlyField: Int? {
    if parts.count == 1, case .field(let field) = parts[0] { field } else { nil }
  }

  var fields: [Int] {
    parts.compactMap { if case .field(let field) = $0 { field } else { nil } }
  }

  typealias Text = (text: ArraySlice<UInt8>, place: TextPlace)

  /// The texts that a row makes of it: one for each value of a field that has several. None where a field is empty.
  ///
  /// - Parameters:
  ///   - separator: what stands between the values of one field; nil where a field is one value.
  ///   - most: of the texts, where only the first are wanted.
  func texts(
    of row: FeedRow, separator: [UInt8]? = nil, most: Int = .max
  ) throws(FeedFault) -> [Text] {
    func texts(of field: Int) -> [Text] {
      let values = row.values.filter { $0.field == field }.map { Text(row[$0], $0.place) }
      guard let separator else { return values }
      return values.flatMap { value in
        value.text.parts(between: separator, most: FeedLimits.values + 1).map { ($0, value.place) }
      }
    }
    if let onlyField {
      let texts = texts(of: onlyField)
      try row.check(texts.count, texts: 0)
      return texts
    }
    let values = fields.map(texts)
    guard !values.contains(where: \.isEmpty), let all = values.map(\.count).max() else { return [] }
    let count = min(all, most)
    // One long value stands in all texts.
    try row.check(count, texts: values.reduce(0) { $0 + ($1.map(\.text.count).max() ?? 0) })
    return (0..<count).map { index in
      var (text, next): ([UInt8], Int) = ([], 0)
      for part in parts {
        switch part {
        case .text(let bytes): text += bytes
        case .field:
          text += values[next][min(index, values[next].count - 1)].text
          next += 1
        }
      }
      return (text[...], values[0][0].place)
    }
  }
}

/// What is taken from the rows of a catalogue.
struct FeedFields: Sendable {
  let query: FeedQuery
  /// Of `url`, `id`, `priority` and `expires`, those that are named.
  private var templates: [FeedOption: FieldTemplate] = [:]
  /// The URL that paths in its rows begin at; nil where it is not said.
  let base: FeedBase?
  /// The mark between the URLs of one field.
  let separator: [UInt8]?
  /// The one value that a row must have in a field.
  let filter: (field: Int, value: [UInt8])?

  /// - Parameters:
  ///   - options: as they stand in the line.
  ///   - place: of the path.
  init(_ options: [FeedOption: FeedText], path: String, at place: Int) throws(Mistake) {
    let format: FeedFormat
    if let option = options[.format] {
      guard let named = FeedFormat(rawValue: option.text) else {
        throw .noSuch("format", option.text, known: FeedFormat.allCases.map(\.rawValue), at: option.offset)
      }
      format = named
    } else if let known = FeedFormat(path: path) {
      format = known
    } else {
      throw Mistake(
        place, "the end of \(Mistake.quote(path)) does not tell how it is written",
        help: "add format=csv, or tsv, json, ndjson; docs/catalogues.md has lines that make NDJSON of XML")
    }
    guard let url = options[.url] else {
      throw Mistake(
        place, "which field of \(Mistake.quote(path)) is the URL?",
        help: "url=image, or url=https://cdn.example/{sku}.jpg; for a plain list give it another ending")
    }
    var fields: [String] = []
    for option in [FeedOption.url, .id, .priority, .expires] {
      if let text = options[option] { templates[option] = try FieldTemplate(text, &fields) }
    }
    if let option = options[.where] {
      guard let equals = option.text.firstIndex(of: "="), equals > option.text.startIndex else {
        throw Mistake(
          option.offset, "'where=' needs a field and its value",
          help: "where=status=active, or where=\"status=in stock\"")
      }
      let name = FeedText(text: String(option.text[..<equals]), offset: option.offset)
      guard let field = try FieldTemplate(name, &fields).onlyField else {
        throw Mistake(option.offset, "'where=' compares one field", help: "where=status=active")
      }
      filter = (field, Array(option.text[option.text.index(after: equals)...].utf8))
    } else {
      filter = nil
    }
    base = try options[.base].map { option throws(Mistake) in
      if let base = FeedBase(option.text) { return base }
      throw Mistake(
        option.offset, "\(Mistake.quote(option.text)) is not an http or https URL",
        help: FeedOption.base.example)
    }
    // A job line holds no line end, so that a word stands for it.
    separator = options[.split].map { $0.text == "lines" ? [10] : Array($0.text.utf8) }
    if let option = options[.split], option.text.isEmpty {
      throw Mistake(option.offset, "'split=' is empty", help: FeedOption.split.example)
    }
    if let option = options[.rows], ![.json, .ndjson].contains(format) {
      throw Mistake(option.offset, "'rows=' is for JSON and NDJSON", help: "take it out")
    }
    guard fields.count <= FeedQuery.mostFields else {
      throw Mistake(url.offset, "more than \(FeedQuery.mostFields) fields are named")
    }
    query = FeedQuery(format: format, fields: fields, rows: options[.rows]?.text)
  }

  /// The sources of a row.
  func sources(of row: FeedRow) throws(FeedFault) -> [FieldTemplate.Text] {
    try templates[.url]?.texts(of: row, separator: separator) ?? []
  }

  /// - Returns: nil where the field is empty: nothing is said then.
  func text(_ option: FeedOption, of row: FeedRow) throws(FeedFault) -> (text: String, place: TextPlace)? {
    guard let (bytes, place) = try templates[option]?.texts(of: row, most: 1).first else { return nil }
    if let mistake = LineFault.first(in: bytes) { throw fault(mistake, in: option, at: place) }
    return (String(decoding: bytes, as: UTF8.self), place)
  }

  /// What is wrong with a field, by its name.
  func fault(_ mistake: Mistake, in option: FeedOption, at place: TextPlace) -> FeedFault {
    let name = names(of: option).first.map { "\($0): " } ?? ""
    return FeedFault(at: place, name + mistake.message, help: mistake.help)
  }

  /// The fields of an option, in quotes.
  func names(of option: FeedOption) -> [String] {
    templates[option]?.fields.map { Mistake.quote(query.fields[$0]) } ?? []
  }

  func holds(_ row: FeedRow) -> Bool {
    guard let filter else { return true }
    return row.values.contains { $0.field == filter.field && row[$0].elementsEqual(filter.value) }
      || filter.value.isEmpty && !row.values.contains { $0.field == filter.field }
  }
}

/// A catalogue on a server: where the last run has kept its copy, so that a plan asks no network.
package enum FeedCopy {
  /// - Parameter cache: the absolute path of the cache folder.
  package static func path(of url: String, cache: String) -> String {
    folder(of: cache) + "/" + String(ContentDigest.sha256(Array(url.utf8)).prefix(32))
  }

  package static func folder(of cache: String) -> String { cache + ".preheat/feeds" }
}
