import FileStore
import Foundation
import Text

/// A page of facts and tables in the look of a run's page: HTML that needs no network, no server and no script. All texts
/// are escaped here.
package struct FactsPage: Sendable {
  package struct Fact: Sendable {
    var name: String
    var value: String
    var isBad: Bool

    package init(_ name: String, _ value: String, isBad: Bool = false) {
      self.name = name
      self.value = value
      self.isBad = isBad
    }
  }

  package struct Section: Sendable {
    var id: String
    var title: String
    var introduction: String
    var body: Body

    package init(_ id: String, _ title: String, introduction: String = "", _ body: Body) {
      self.id = id
      self.title = title
      self.introduction = introduction
      self.body = body
    }
  }

  package enum Body: Sendable {
    /// The first cell of a row is its name; numbers stand in the others.
    case table(head: [String], rows: [[String]])
    case columns([Column], label: String)
  }

  /// Parts of a column from below, of 1 together.
  package struct Column: Sendable {
    var shares: [Double]

    package init(shares: [Double]) { self.shares = shares }
  }

  private let title: String
  private let eyebrow: String
  private let headline: String
  private let facts: [Fact]
  private let sections: [Section]
  private let footer: String

  package init(
    title: String, eyebrow: String, headline: String, facts: [Fact], sections: [Section], footer: String
  ) {
    self.title = title
    self.eyebrow = eyebrow
    self.headline = headline
    self.facts = facts
    self.sections = sections
    self.footer = footer
  }

  /// Writes `index.html` into a folder, which is created where it is missing.
  package func write(into folder: String) throws(FileStoreError) {
    let files = try FileStore(folder: URL(fileURLWithPath: folder))
    try files.write(Data(html.utf8), as: ReportPage.file)
  }

  package var html: String {
    let parts = sections.map {
      PageSection($0.id, escape($0.title), introduction: escape($0.introduction), body($0.body))
    }
    let links = parts.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" }.joined()
    let list = facts.map { fact in
      "<div\(fact.isBad ? " class=\"bad\"" : "")><dt>\(escape(fact.name))</dt><dd>\(escape(fact.value))</dd></div>"
    }
    return PageFrame.html(
      title: escape(title),
      body: """
        <a class="skip" href="#content">Skip to the content</a>
        <header>
        <p class="eyebrow">Preheat · <span class="job">\(escape(eyebrow))</span></p>
        <h1>\(escape(headline))</h1>
        <dl class="facts">\(list.joined())</dl>
        </header>
        <nav aria-label="Sections"><ul>\(links)</ul></nav>
        <main id="content">
        \(parts.map(\.html).joined(separator: "\n"))
        </main>
        <footer><p>\(escape(footer))</p></footer>
        """)
  }

  private func escape(_ text: String) -> String { MarkupText.escape(text) }

  private func body(_ body: Body) -> String {
    switch body {
    case .table(let head, let rows): table(head, rows)
    case .columns(let columns, let label): chart(columns, label)
    }
  }

  private func table(_ head: [String], _ rows: [[String]]) -> String {
    let titles = head.map { "<th scope=\"col\">\(escape($0))</th>" }.joined()
    let lines = rows.map { row in
      let cells = row.dropFirst().map { "<td>\(escape($0))</td>" }.joined()
      return "<tr><th scope=\"row\">\(escape(row.first ?? ""))</th>\(cells)</tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(escape(head.first ?? ""))"><table class="wide">
      <thead><tr>\(titles)</tr></thead>
      <tbody>\(lines.joined(separator: "\n"))</tbody></table></div>
      """
  }

  /// From below: good, less good, bad.
  private static let classes = ["fill", "soft", "bad"]

  private func chart(_ columns: [Column], _ label: String) -> String {
    let width = 120 / Double(max(1, columns.count))
    var marks = ""
    for (index, column) in columns.enumerated() {
      var top = 30.0
      for (share, name) in zip(column.shares, Self.classes) where share > 0 {
        top -= share * 30
        let place =
          "x=\"\(ReportPage.coordinate(Double(index) * width))\" y=\"\(ReportPage.coordinate(top))\""
        let size = "width=\"\(ReportPage.coordinate(width))\" height=\"\(ReportPage.coordinate(share * 30))\""
        marks += "<rect class=\"\(name)\" \(place) \(size)/>"
      }
    }
    return """
      <svg class="bar tall" viewBox="0 0 120 30" preserveAspectRatio="none" role="img" aria-label="\(escape(label))">\
      \(marks)</svg>
      """
  }
}
