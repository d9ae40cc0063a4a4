import Planning
import Text

extension ReportPage {
  /// Every rendition that is in the cache, as the app will draw it.
  var contactSheet: PageSection? {
    let shown = record.renditions.filter { $0.status != .failed }
    guard !shown.isEmpty else { return nil }
    let omitted = record.summary.omittedRenditions
    var introduction =
      "The files of the cache as they are, with what each is made from. Percentages compare with the source."
    if omitted > 0 { introduction += " \(NumberText.grouped(omitted)) further renditions are not listed." }
    let cards = shown.map(card).joined(separator: "\n")
    return PageSection(
      "pictures", "Renditions", introduction: introduction,
      """
      <form class="filter" role="search" hidden><label for="filter">Filter by source, chain, key or file</label>
      <input id="filter" type="search" autocomplete="off" spellcheck="false">
      <output for="filter" id="filtered">\(NumberText.count(shown.count, "rendition"))</output></form>
      <ul class="sheet">
      \(cards)
      </ul>
      """)
  }

  private func card(_ rendition: RenditionRecord) -> String {
    let name = MarkupText.escape(ReportText.shortened(ReportText.name(ofSource: rendition.source), to: 120))
    let chain = MarkupText.escape(ReportText.shortened(rendition.chainAndScale))
    let picture = shelf.picture(of: rendition)
    let image =
      if let picture {
        """
        <img src="\(picture.address)" alt="\(name), \(chain)" width="\(picture.header.width)" \
        height="\(picture.header.height)" loading="lazy" decoding="async">
        """
      } else {
        "<span class=\"none\">\(rendition.status == .notStored ? "not stored" : "no preview")</span>"
      }
    return """
      <li class="card"><div class="mat">\(image)</div>
      <h3>\(name)</h3><p class="chain">\(chain)</p>
      <p class="size">\(size(rendition, picture))</p>
      <details><summary>Source, key and file</summary><dl>\(details(rendition))</dl></details></li>
      """
  }

  private func size(_ rendition: RenditionRecord, _ picture: PictureShelf.Picture?) -> String {
    var parts: [String] = []
    if let picture {
      parts.append("\(picture.header.width) × \(picture.header.height)")
      parts.append(ByteCountText.text(picture.bytes))
    } else if let bytes = rendition.bytes {
      parts.append(ByteCountText.text(bytes))
    }
    if rendition.status == .current { parts.append("up to date") }
    // The picture's own file: with some policies the source is stored beside it.
    if let source = rendition.sourceBytes, source > 0, let bytes = picture?.bytes ?? rendition.bytes,
      bytes != source
    {
      let saved = source - bytes
      // fits: a record has no number beyond 1e14.
      let percent = Int((Double(saved.magnitude) / Double(source) * 100).rounded())
      let title = "\(ByteCountText.text(Int(saved.magnitude))) \(saved < 0 ? "more" : "less") than the source"
      parts.append(
        "<span class=\"\(saved < 0 ? "more" : "less")\" title=\"\(title)\">"
          + "\(saved < 0 ? "+" : "−")\(percent) %</span>")
    }
    return parts.map { "<span>\($0)</span>" }.joined(separator: " · ")
  }

  private func details(_ rendition: RenditionRecord) -> String {
    var rows = [
      ("source", ReportText.shortened(rendition.source)),
      ("source size", rendition.sourceBytes.map { ByteCountText.text($0) } ?? ""),
      ("line", "\(rendition.file):\(rendition.line)"),
      ("key", ReportText.shortened(rendition.key, to: 1000)),
      ("file", rendition.fileName ?? ""),
      ("note", rendition.note ?? ""),
    ]
    rows.removeAll { $0.1.isEmpty }
    return rows.map { "<dt>\($0)</dt><dd>\(MarkupText.escape($1))</dd>" }.joined()
  }
}
