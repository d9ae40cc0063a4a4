import Digests
import Foundation
import Text

/// The frame of all pages: HTML that needs no network and no server. Style and script stand in each page and are named
/// by their digests, so that a browser runs nothing else.
enum PageFrame {
  static let style = String(decoding: PackageResources.page_css, as: UTF8.self)
  /// It draws the list of the page of a run, with filters, orders and pages.
  static let script = String(decoding: PackageResources.page_js, as: UTF8.self)

  /// - Parameters:
  ///   - title: Escaped.
  ///   - hasScript: Whether ``script`` may run.
  ///   - body: The elements of the page.
  static func html(title: String, hasScript: Bool = false, body: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy(hasScript: hasScript))">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>\(title) – Preheat</title>
    <style>\(style)</style>
    </head>
    <body>
    \(body)
    </body>
    </html>

    """
  }

  /// A page of sections below a header, with links to them.
  ///
  /// - Parameters:
  ///   - eyebrow: Escaped, as are the headline, the notes below it and the footer.
  ///   - end: What follows the footer.
  static func html(
    title: String, header: PageHeader, sections: [PageSection], footer: String, hasScript: Bool,
    end: String
  ) -> String {
    let links = sections.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" }.joined()
    return html(
      title: title, hasScript: hasScript,
      body: """
        <a class="skip" href="#content">Skip to the content</a>
        \(header.html)
        <nav aria-label="Sections"><ul>\(links)</ul></nav>
        <main id="content">
        \(sections.map(\.html).joined(separator: "\n"))
        </main>
        <footer><p>\(MarkupText.escape(footer))</p></footer>\(end)
        """)
  }

  /// Nothing from anywhere but this file and the folder that it lies in. The script may load others: the list's data.
  private static func policy(hasScript: Bool) -> String {
    // Browsers take no file for "self" of another: pictures beside the page need the scheme.
    "default-src 'none'; img-src 'self' data: file:; style-src '\(digest(style))'; "
      + "script-src \(hasScript ? "'\(digest(script))' 'strict-dynamic'" : "'none'"); "
      + "base-uri 'none'; form-action 'none'"
  }

  static func digest(_ text: String) -> String {
    "sha256-" + Data(SHA256.hash(text.utf8)).base64EncodedString()
  }

  /// Two digits are finer than any screen.
  static func coordinate(_ value: Double) -> String { NumberText.plain((value * 100).rounded() / 100) }

  /// `And 12 more.`, `And 12 more lanes.`; nothing where nothing is left.
  static func note(more rest: Int, _ noun: String? = nil) -> String {
    guard rest > 0 else { return "" }
    let more = noun.map { NumberText.count(rest, "more \($0)") } ?? "\(NumberText.grouped(rest)) more"
    return "<p class=\"note\">And \(more).</p>"
  }
}

/// The head of a page, in one sentence and in numbers.
struct PageHeader {
  struct Fact {
    var name: String
    var value: String
    var isBad: Bool

    init(_ name: String, _ value: String, isBad: Bool = false) {
      (self.name, self.value, self.isBad) = (name, value, isBad)
    }
  }

  /// HTML.
  var eyebrow: String
  var headline: String
  /// HTML before and after the facts.
  var notes = ""
  var facts: [Fact]
  var end = ""

  var html: String {
    let list = facts.map { fact in
      "<div\(fact.isBad ? " class=\"bad\"" : "")><dt>\(MarkupText.escape(fact.name))</dt>"
        + "<dd>\(MarkupText.escape(fact.value))</dd></div>"
    }
    return """
      <header>
      <p class="eyebrow">Preheat · \(eyebrow)</p>
      <h1>\(MarkupText.escape(headline))</h1>
      \(notes)<dl class="facts">\(list.joined())</dl>
      \(end)</header>
      """
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
