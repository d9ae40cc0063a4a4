import Planning
import Text

/// A card in the page, a row of a plain page, and a row of the list's data. The page's script makes the same card of the
/// data (``PageScript``).
extension RenditionCard {
  package var html: String {
    let name = MarkupText.escape(name)
    return """
      <li class="card" id="r-\(id)"><div class="mat">\(image)</div>
      <h3><a href="#r-\(id)">\(name)</a></h3><p class="chain">\(MarkupText.escape(chain))</p>
      <p class="size">\(size)</p>
      <details><summary>Source, key and file</summary><dl>\(detailsHTML)</dl></details></li>
      """
  }

  package var image: String {
    guard let picture else { return "<span class=\"none\">\(absence)</span>" }
    return Self.image(picture, alt: "\(name), \(chain)")
  }

  static func image(_ picture: PictureShelf.Picture, alt: String) -> String {
    """
    <img src="\(picture.address)" alt="\(MarkupText.escape(alt))" width="\(picture.width)" \
    height="\(picture.height)" loading="lazy" decoding="async">
    """
  }

  /// Facts and what was saved.
  private var size: String {
    var parts = facts.map { "<span>\(MarkupText.escape($0))</span>" }
    if let gain {
      parts.append(
        "<span class=\"\(gain.isMore ? "more" : "less")\" title=\"\(gain.title)\">\(gain.text)</span>")
    }
    return parts.joined(separator: " · ")
  }

  /// Escaped text may look like an address that the source is not.
  private var sourceHTML: String { isLinked ? MarkupText.source(source) : MarkupText.escape(source) }

  private var detailsHTML: String {
    zip(Self.labels, details).enumerated().map { index, detail in
      guard !detail.1.isEmpty else { return "" }
      let text = index == 0 ? sourceHTML : MarkupText.escape(detail.1)
      return "<dt>\(detail.0)</dt><dd>\(text)</dd>"
    }.joined()
  }

  /// A row of a page without scripts, which lies in ``ReportPage/data``.
  package var tableRow: String {
    let name = MarkupText.escape(name)
    let shown =
      if case .beside(let file) = picture?.place {
        "<a href=\"../\(ReportPage.pictures)/\(file)\">\(name)</a>"
      } else {
        name
      }
    let why = details[6].isEmpty ? "" : " <span class=\"place\">\(MarkupText.escape(details[6]))</span>"
    return """
      <tr id="r-\(id)"><th scope="row">\(shown)</th><td>\(MarkupText.escape(chain))</td>\
      <td>\(status.words)</td><td>\(size)\(why)</td><td class="url">\(sourceHTML)</td>\
      <td>\(MarkupText.escape(details[2]))</td></tr>

      """
  }

  /// The members of ``dataRow``, in their order.
  package static let fields =
    [
      "id", "name", "chain", "status", "facts", "gain", "title", "more", "picture", "width", "height",
      "bytes",
      "sourceBytes", "client", "change", "linked",
    ]

  /// A JSON array, fit to stand in a script: see ``ScriptText``.
  package func addRow(to json: inout ScriptText) {
    json.open("[")
    json.string(id)
    json.string(name)
    json.string(chain)
    json.integer(RenditionRecord.Status.all.firstIndex(of: status) ?? 0)
    json.string(facts.joined(separator: " · "))
    json.string(gain?.text ?? "")
    json.string(gain?.title ?? "")
    json.integer(gain?.isMore == true ? 1 : 0)
    switch picture?.place {
    case .beside(let file): json.string(file)
    // The card that the page has from the start has it too.
    case .page: json.string("=")
    case nil: json.string("")
    }
    json.integer(picture?.width ?? 0)
    json.integer(picture?.height ?? 0)
    json.integer(bytes ?? -1)
    json.integer(sourceBytes ?? -1)
    json.integer(client)
    json.integer(change.map { RunComparison.Change.allCases.firstIndex(of: $0) ?? -1 } ?? -1)
    json.integer(isLinked ? 1 : 0)
    for detail in details { json.string(detail) }
    json.close("]")
  }
}
