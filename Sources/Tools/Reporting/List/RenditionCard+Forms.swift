import Planning
import Text

/// A card in the page, a row of a plain page, and a row of the list's data. The page's script makes the same card of the
/// data.
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
  var tableRow: String {
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

  /// The members of ``dataRow``, in their order; the details follow them.
  static let fields = [
    "id", "name", "chain", "status", "facts", "gain", "title", "more", "picture", "width", "height", "bytes",
    "sourceBytes", "client", "change", "linked",
  ]

  /// A JSON array for the script.
  var dataRow: JSONValue {
    let shown =
      switch picture?.place {
      case .beside(let file): file
      // The card that the page has from the start has it too.
      case .page: "="
      case nil: ""
      }
    let changes = RunComparison.Change.allCases
    let fields: [JSONValue] = [
      .string(id), .string(name), .string(chain),
      .integer(RenditionRecord.Status.all.firstIndex(of: status) ?? 0),
      .string(facts.joined(separator: " · ")), .string(gain?.text ?? ""), .string(gain?.title ?? ""),
      .integer(gain?.isMore == true ? 1 : 0), .string(shown), .integer(picture?.width ?? 0),
      .integer(picture?.height ?? 0), .integer(bytes ?? -1), .integer(sourceBytes ?? -1), .integer(client),
      .integer(change.flatMap { changes.firstIndex(of: $0) } ?? -1), .integer(isLinked ? 1 : 0),
    ]
    return .array(fields + details.map(JSONValue.string))
  }
}
