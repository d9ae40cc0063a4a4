import Text

/// A part of the list for browsers without scripts: the renditions that the page itself has no room for.
struct PlainPage {
  /// From 2: the page itself is the first.
  var number: Int
  var last: Int
  /// Rows of a table, from ``RenditionCard/tableRow``.
  var rows: String

  /// The name in ``ReportPage/data``.
  static func name(_ number: Int) -> String { "page-\(number).html" }

  var html: String {
    let title = "Renditions, page \(number) of \(last)"
    var links = ["<a href=\"../\(ReportPage.file)\">The page of the run</a>"]
    for other in [number - 1, number + 1] where (2...last).contains(other) {
      links.append("<a href=\"\(Self.name(other))\">Page \(other)</a>")
    }
    let list = links.map { "<li>\($0)</li>" }.joined()
    let head = ["picture", "chain", "status", "size", "source", "line"]
    return PageFrame.html(
      title: title,
      body: """
        <nav aria-label="Pages"><ul>\(list)</ul></nav>
        <main id="content"><section aria-labelledby="title"><h1 id="title">\(title)</h1>
        \(PageTable.html("Renditions", kind: "plain", head: head, body: "\n" + rows))</section></main>
        """)
  }
}
