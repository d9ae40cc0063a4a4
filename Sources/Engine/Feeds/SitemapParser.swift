import CExpat
import Foundation
import Syntax

/// XML sitemaps with their extension for images, by libexpat. A document type, and with it every entity of its own, is
/// refused.
struct SitemapParser: FeedParser {
  private let reader: SitemapReader

  init(_ query: FeedQuery) { reader = SitemapReader(query) }

  func read(_ bytes: UnsafeBufferPointer<UInt8>, _ take: (FeedEvent) -> Void) throws(FeedFault) {
    try reader.parse(bytes, isLast: false, take)
  }

  func finish(_ take: (FeedEvent) -> Void) throws(FeedFault) {
    try reader.parse(UnsafeBufferPointer(start: nil, count: 0), isLast: true, take)
  }
}

/// What libexpat's callbacks write into. It is used on the thread of its parser alone.
private final class SitemapReader {
  private static let separator = UInt8(ascii: "|")
  private static let pageNames = ["loc", "lastmod", "changefreq", "priority"]
  private static let imageNames = [
    "image:loc", "image:title", "image:caption", "image:geo_location", "image:license",
  ]

  private let fields: [String]
  private let parser: XML_Parser?
  /// How many elements are open; a page is the second of them.
  private var depth = 0
  private var isInPage = false
  private var isInImage = false
  /// The number of the field that is open, and its text.
  private var field: Int?
  private var text: [UInt8] = []
  private var page: [(field: Int, text: [UInt8])] = []
  private var images: [[(field: Int, text: [UInt8])]] = []
  private var rows = 0
  private var ready: [FeedRow] = []
  private var fault: FeedFault?
  private var elements: [(qualified: UnsafeMutablePointer<XML_Char>, element: Element)] = []

  init(_ query: FeedQuery) {
    fields = query.fields
    parser = XML_ParserCreateNS(nil, XML_Char(Self.separator))
    guard let parser else { return }
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { data, name, _ in SitemapReader.of(data)?.begin(name) },
      { data, name in SitemapReader.of(data)?.end(name) })
    XML_SetCharacterDataHandler(parser) { data, text, count in SitemapReader.of(data)?.add(text, Int(count)) }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      SitemapReader.of(data)?.stop("it has a document type", help: "a sitemap has none; take the DOCTYPE out")
    }
  }

  deinit {
    if let parser { XML_ParserFree(parser) }
    for known in elements { free(known.qualified) }
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> SitemapReader? {
    data.map { Unmanaged<SitemapReader>.fromOpaque($0).takeUnretainedValue() }
  }

  func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, _ take: (FeedEvent) -> Void
  ) throws(FeedFault) {
    guard let parser else { throw FeedFault("there is no memory to read it") }
    let known = Self.pageNames + Self.imageNames
    if let field = fields.first(where: { !known.contains($0) }) {
      throw FeedFault("a sitemap has no \(Mistake.quote(field))", help: FeedNames.help(known, for: field))
    }
    let status = bytes.withMemoryRebound(to: CChar.self) { text in
      // fits: a piece of a file.
      XML_Parse(parser, text.baseAddress, Int32(text.count), isLast ? 1 : 0)
    }
    for row in ready { take(.row(row)) }
    ready.removeAll(keepingCapacity: true)
    if let fault { throw fault }
    guard status != XML_STATUS_ERROR else {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "it is not XML"
      throw FeedFault(
        row: rows + 1,
        "\(reason), at line \(XML_GetCurrentLineNumber(parser)), column \(XML_GetCurrentColumnNumber(parser) + 1)",
        help: "the file has to be well-formed XML")
    }
  }

  private func stop(_ message: String, help: String? = nil) {
    if fault == nil { fault = FeedFault(row: rows > 0 ? rows : 0, message, help: help) }
    if let parser { XML_StopParser(parser, 0) }
  }

  /// What an element is: its name, with `image:` before those of the extension, or nil for what belongs to no sitemap.
  private struct Element {
    var name: String?
    /// The number of the field, where it is asked for.
    var field: Int?
    var isOfPage = false
    var isOfImage = false
  }

  /// A sitemap has a dozen names and a million elements.
  private func element(_ qualified: UnsafePointer<XML_Char>?) -> Element {
    guard let qualified else { return Element() }
    for known in elements where strcmp(known.qualified, qualified) == 0 { return known.element }
    let name = Self.name(String(cString: qualified))
    let element = Element(
      name: name, field: fields.firstIndex { $0 == name },
      isOfPage: name.map(Self.pageNames.contains) ?? false,
      isOfImage: name.map(Self.imageNames.contains) ?? false)
    if elements.count < 32, let copy = strdup(qualified) { elements.append((copy, element)) }
    return element
  }

  private static func name(_ text: String) -> String? {
    guard let mark = text.utf8.lastIndex(of: separator) else { return text }
    let name = text[text.index(after: mark)...]
    let space = text[..<mark]
    if space.contains("sitemap-image") { return "image:\(name)" }
    return space.contains("/schemas/sitemap/") ? String(name) : nil
  }

  private func begin(_ qualified: UnsafePointer<XML_Char>?) {
    depth += 1
    guard depth <= FeedLimits.depth else {
      return stop("more than \(FeedLimits.depth) elements are within one another")
    }
    field = nil
    let element = element(qualified)
    guard let name = element.name else { return }
    switch depth {
    case 1 where name == "sitemapindex":
      stop("it is a list of sitemaps", help: "include each of the sitemaps that it names")
    case 1 where name != "urlset": stop("it is not a sitemap", help: "a sitemap begins with <urlset>")
    case 2:
      isInPage = name == "url"
      page.removeAll(keepingCapacity: true)
      images.removeAll(keepingCapacity: true)
    case 3 where isInPage && name == "image:image":
      isInImage = true
      images.append([])
      if images.count > FeedLimits.values { stop("a page has more than \(FeedLimits.values) images") }
    case 3 where isInPage && element.isOfPage, 4 where isInImage && element.isOfImage:
      field = element.field
      text.removeAll(keepingCapacity: true)
    default: break
    }
  }

  private func add(_ bytes: UnsafePointer<XML_Char>?, _ count: Int) {
    guard field != nil, let bytes else { return }
    guard text.count + count <= FeedLimits.field else { return stop("a text is longer than 1 MiB") }
    bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
      text.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
    }
  }

  private func end(_ qualified: UnsafePointer<XML_Char>?) {
    if let field {
      let start = text.firstIndex { $0 > 0x20 } ?? text.endIndex
      let end = text.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
      let trimmed = Array(text[start..<end])
      if depth == 3 {
        page.append((field, trimmed))
      } else {
        images[images.count - 1].append((field, trimmed))
      }
    }
    field = nil
    if depth == 3 { isInImage = false }
    if depth == 2, isInPage { endPage() }
    depth -= 1
  }

  /// A row for each image; a page without any is one row.
  private func endPage() {
    isInPage = false
    for image in images.isEmpty ? [[]] : images {
      rows += 1
      var row = FeedRow()
      row.number = rows
      for (field, text) in page + image { row.add(text, to: field) }
      ready.append(row)
    }
  }
}
