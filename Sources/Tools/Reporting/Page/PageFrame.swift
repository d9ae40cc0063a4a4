import Digests
import Foundation
import Text

/// What pages are made of. Style and script stand in each page and are named
/// by their digests, so that a browser runs nothing else.
enum PageFrame {
  static let style = String(decoding: PackageResources.page_css, as: UTF8.self)
  /// It draws the list of the page of a run, with filters, orders and pages.
  static let script = String(decoding: PackageResources.page_js, as: UTF8.self)

  /// Nothing from anywhere but this file and the folder that it lies in. The script may load others: the list's data.
  static var policy: String {
    // Browsers take no file for "self" of another: pictures beside the page need the scheme.
    "default-src 'none'; img-src 'self' file:; style-src '\(digest(style))'; "
      + "script-src '\(digest(script))' 'strict-dynamic'; base-uri 'none'; form-action 'none'"
  }

  static func digest(_ text: String) -> String {
    "sha256-" + Data(SHA256.hash(text.utf8)).base64EncodedString()
  }

  /// Two digits are finer than any screen.
  static func coordinate(_ value: Double) -> String { NumberText.plain((value * 100).rounded() / 100) }

  /// `And 12 more sources.`; nothing where nothing is left.
  static func note(more rest: Int, _ noun: String) -> String {
    rest > 0 ? "<p class=\"note\">And \(NumberText.count(rest, "more \(noun)")).</p>" : ""
  }
}

/// A part of the page with a heading of its own.
struct PageSection {
  var id: String
  var title: String
  var html: String

  /// - Parameters:
  ///   - title: Not escaped: words of ours.
  ///   - introduction: Likewise.
  init(_ id: String, _ title: String, introduction: String = "", _ body: String) {
    self.id = id
    self.title = title
    let text = introduction.isEmpty ? "" : "<p class=\"lead\">\(introduction)</p>"
    html = """
      <section id="\(id)" aria-labelledby="\(id)-title">
      <h2 id="\(id)-title">\(title)</h2>\(text)
      \(body)
      </section>
      """
  }
}

/// A table that can be scrolled sideways.
enum PageTable {
  enum Cell {
    /// The head of a row; HTML.
    case name(String)
    /// Any text.
    case text(String)
    /// Words of ours, to the right.
    case number(String)
    /// HTML of a class in the style.
    case html(String, String)

    var html: String {
      switch self {
      case .name(let html): "<th scope=\"row\">\(html)</th>"
      case .text(let text): "<td>\(MarkupText.escape(text))</td>"
      case .number(let text): "<td class=\"number\">\(text)</td>"
      case .html(let html, let kind): "<td class=\"\(kind)\">\(html)</td>"
      }
    }
  }

  /// - Parameters:
  ///   - label: What a screen reader calls it.
  ///   - kind: Its class in the style.
  ///   - head: HTML of the columns' heads.
  static func html(_ label: String, kind: String? = nil, head: [String], rows: [[Cell]]) -> String {
    let rows = rows.map { "<tr>\($0.map(\.html).joined())</tr>" }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(MarkupText.escape(label))">\
      <table\(kind.map { " class=\"\($0)\"" } ?? "")>
      <thead><tr>\(head.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
      """
  }
}
