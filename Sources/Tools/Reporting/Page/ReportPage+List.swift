import Planning
import Syntax
import Text

extension ReportPage {
  /// Every rendition, those in the cache as the app will draw them. The script makes the cards of the list's data.
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
      <noscript><p class="note">The list needs JavaScript.</p></noscript>
      <ul class="sheet" id="sheet"></ul>
      <nav class="pager" id="pager" aria-label="Pages of renditions" hidden><ul>\
      <li><button type="button" id="back">Back</button></li><li><span id="page"></span></li>\
      <li><button type="button" id="on">Next</button></li></ul></nav>
      """)
  }

  private var form: String {
    let statuses =
      RenditionRecord.Status.allCases.enumerated().map { ("status-\($0)", $1.words) }
      + (list.hasExcess ? [("larger", "larger than the source")] : [])
    let chains = list.chains.count > 1 ? Array(list.chains.enumerated().map { ("\($0)", $1) }) : []
    let sizes = [10, 50, 100, 500, 1024].map { ("\($0 << 10)", "over \(ByteCountText.text($0 << 10))") }
    let orders = [
      ("largest", "largest files first"), ("smallest", "smallest files first"), ("name", "by name"),
      ("saved", "most saved first"), ("excess", "least saved first"),
    ]
    return """
      <form class="filter" id="filter" role="search" aria-label="Renditions" hidden>
      <p><label for="words">Search</label><input id="words" type="search" autocomplete="off" spellcheck="false"></p>
      \(choice("status", "Status", "all", statuses))\(choice("chain", "Chain", "all", chains))\
      \(choice("size", "Size", "all", sizes))\(choice("order", "Order", "as in the job", orders))
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

  /// The data of the script, with the first renditions.
  var listData: String {
    String(decoding: MarkupText.script(ListData(list: list)), as: UTF8.self)
  }

  private struct ListData: JSONRecord {
    let list: RenditionList
    let fields = RenditionCard.fields
    let labels = RenditionCard.labels
    let statuses = RenditionRecord.Status.allCases.map(\.rawValue)
    let perPage = RenditionList.perPage
    var data: String { list.total > list.rows.count ? ReportPage.data : "" }
    let pictures = ReportPage.pictures + "/"

    static let json = JSONMembers<Self>(
      ("fields", \.fields), ("labels", \.labels), ("statuses", \.statuses), ("chains", \.list.chains),
      ("total", \.list.total), ("perPage", \.perPage), ("data", \.data),
      ("pictures", \.pictures), ("rows", \.list.rows))
  }
}
