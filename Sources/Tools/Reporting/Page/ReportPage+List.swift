import Planning
import Text

extension ReportPage {
  /// Every rendition, those in the cache as the app will draw them: the first as part of the page, the others as data
  /// that the script reads, and as pages for browsers without scripts.
  var contactSheet: PageSection? {
    guard list.total > 0 else { return nil }
    let omitted = record.summary.omittedRenditions
    var introduction =
      "The files of the cache as they are, with what each is made from. Percentages compare with the source."
    if omitted > 0 { introduction += " \(NumberText.grouped(omitted)) further renditions are not listed." }
    return PageSection(
      "pictures", "Renditions", introduction: introduction,
      """
      \(form)
      <ul class="sheet" id="sheet">
      \(list.first.map(\.html).joined(separator: "\n"))
      </ul>
      <nav class="pager" id="pager" aria-label="Pages of renditions" hidden><ul>\
      <li><button type="button" id="back">Back</button></li><li><span id="page"></span></li>\
      <li><button type="button" id="on">Next</button></li></ul></nav>
      \(rest)
      """)
  }

  private var form: String {
    let statuses =
      RenditionRecord.Status.allCases.enumerated().map { ("status-\($0)", $1.words) }
      + (list.excessiveCount > 0 ? [("larger", "larger than the source")] : [])
      + (list.previous == nil
        ? []
        : RunComparison.Change.allCases.enumerated().map {
          ("change-\($0)", "since the last run: \($1.rawValue)")
        })
    let chains = list.chains.count > 1 ? Array(list.chains.enumerated().map { ("\($0)", $1) }) : []
    let clients = list.clients.count > 1 ? Array(list.clients.enumerated().map { ("\($0)", $1) }) : []
    let sizes = [10, 50, 100, 500, 1024].map { ("\($0 << 10)", "over \(ByteCountText.text($0 << 10))") }
    let orders = [
      ("largest", "largest files first"), ("smallest", "smallest files first"), ("name", "by name"),
      ("saved", "most saved first"), ("excess", "least saved first"),
    ]
    return """
      <form class="filter" id="filter" role="search" aria-label="Renditions" hidden>
      <p><label for="words">Search</label><input id="words" type="search" autocomplete="off" spellcheck="false"></p>
      \(choice("status", "Status", "all", statuses))\(choice("chain", "Chain", "all", chains))\
      \(choice("client", "Client", "all", clients))\(choice("size", "Size", "all", sizes))\
      \(choice("order", "Order", "as in the job", orders))
      <p><button type="reset">Show all</button></p>
      <output for="words" id="shown">\(NumberText.count(list.total, "rendition"))</output></form>
      """
  }

  private func choice(
    _ id: String, _ label: String, _ none: String, _ options: [(value: String, words: String)]
  ) -> String {
    guard !options.isEmpty else { return "" }
    let rows = options.map {
      "<option value=\"\($0.value)\">\(MarkupText.escape(ReportText.shortened($0.words, to: 160)))</option>"
    }
    return """
      <p><label for="\(id)">\(label)</label><select id="\(id)"><option value="">\(none)</option>\(rows.joined())\
      </select></p>

      """
  }

  /// Links instead of the pager, for a browser without scripts.
  private var rest: String {
    let rest = list.total - list.first.count
    guard rest > 0 else { return "" }
    let links = (2...list.plainPages + 1).map {
      "<a href=\"\(Self.data)/\(PlainPage.name($0))\">\($0)</a>"
    }
    return """
      <p class="note" id="rest">\(NumberText.grouped(rest)) more \(rest == 1 ? "is" : "are") in \(Self.data) beside \
      this page. Pages without scripts: \(links.joined(separator: " ")).</p>
      """
  }

  /// The data of the script; the renditions too where they are few.
  var listData: String {
    String(decoding: MarkupText.script(ListData(list: list)), as: UTF8.self)
  }

  private struct ListData: JSONRecord {
    let list: RenditionList
    let fields = RenditionCard.fields
    let labels = RenditionCard.labels
    let statuses = RenditionRecord.Status.allCases.map(\.rawValue)
    let perPage = RenditionList.perPage
    let data = ReportPage.data + "/"
    let pictures = ReportPage.pictures + "/"

    static let json = JSONMembers<Self>(
      ("fields", \.fields), ("labels", \.labels), ("statuses", \.statuses), ("chains", \.list.chains),
      ("total", \.list.total), ("perPage", \.perPage), ("chunks", \.list.chunks), ("data", \.data),
      ("pictures", \.pictures), ("rows?", \.list.rows))
  }
}

/// A part of the list for browsers without scripts: the renditions that the page itself has no room for.
enum PlainPage {
  /// The name in ``ReportPage/data``.
  static func name(_ number: Int) -> String { "page-\(number).html" }

  /// - Parameters:
  ///   - number: From 2: the page itself is the first.
  ///   - rows: Of a table, from ``RenditionCard/tableRow``.
  static func html(number: Int, last: Int, rows: String) -> String {
    let title = "Renditions, page \(number) of \(last)"
    var links = ["<a href=\"../\(ReportPage.file)\">The page of the run</a>"]
    for other in [number - 1, number + 1] where (2...last).contains(other) {
      links.append("<a href=\"\(name(other))\">Page \(other)</a>")
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
