import Planning
import Text

/// A part of the list for browsers without scripts: the renditions that the page itself has no room for.
struct PlainPage {
  /// From 2: the page itself is the first.
  package var number: Int
  package var last: Int
  /// Rows of a table, from ``RenditionCard/tableRow``.
  package var rows: String

  /// The name in ``ReportPage/data``.
  package static func name(_ number: Int) -> String { "page-\(number).html" }

  package var html: String {
    var links = ["<a href=\"../\(ReportPage.file)\">The page of the run</a>"]
    if number > 2 { links.append("<a href=\"\(Self.name(number - 1))\">Page \(number - 1)</a>") }
    if number < last { links.append("<a href=\"\(Self.name(number + 1))\">Page \(number + 1)</a>") }
    let list = links.map { "<li>\($0)</li>" }.joined()
    return PageFrame.html(
      title: "Renditions, page \(number) of \(last)",
      body: """
        <nav aria-label="Pages"><ul>\(list)</ul></nav>
        <main id="content"><section aria-labelledby="title"><h1 id="title">Renditions, page \(number) of \(last)</h1>
        <div class="scroll" tabindex="0" role="region" aria-label="Renditions"><table class="plain">
        <thead><tr><th scope="col">picture</th><th scope="col">chain</th><th scope="col">status</th>\
        <th scope="col">size</th><th scope="col">source</th><th scope="col">line</th></tr></thead>
        <tbody>
        \(rows)</tbody></table></div></section></main>
        """)
  }
}
