import Digests
import Planning
import Text

/// A rendition as a report shows it: in words and numbers, not yet in any markup. All texts are escaped for reading.
struct RenditionCard: Sendable, Hashable {
  /// What the details are about, in their order.
  package static let labels = ["source", "source size", "line", "key", "file", "note", "failure"]

  /// The same for each run that names this rendition, so that a link to it lasts.
  package var id: String
  /// The page that has it without scripts: 1 is the page itself.
  package var page = 1
  package var name: String
  package var chain: String
  package var status: RenditionRecord.Status
  /// Pixels, bytes, what became of it.
  package var facts: [String]
  package var gain: Gain?
  package var picture: PictureShelf.Picture?
  /// In the order of ``labels``; empty where there is nothing to say.
  var details: [String]
  /// Whether the source is an address that a browser may open.
  var isLinked: Bool
  /// Place in the report's list of clients.
  package var client: Int
  package var bytes: Int?
  package var sourceBytes: Int?
  package var change: RunComparison.Change?

  /// A rendition's size against that of its source.
  package struct Gain: Sendable, Hashable {
    /// `−93 %`.
    package var text: String
    package var title: String
    var isMore: Bool
  }

  init(_ rendition: RenditionRecord, id: String, client: Int, picture: PictureShelf.Picture?) {
    self.id = id
    self.client = client
    self.picture = picture
    name = SafeText.escape(ReportText.shortened(ReportText.name(ofSource: rendition.source), to: 120))
    chain = SafeText.escape(ReportText.shortened(rendition.chainAndScale))
    status = rendition.status
    // The picture's own file: with some policies the source is stored beside it.
    bytes = picture?.bytes ?? rendition.size ?? rendition.bytes
    sourceBytes = rendition.sourceBytes
    gain = Gain(bytes, of: rendition.sourceBytes)
    isLinked = ReportText.isAddress(rendition.source)
    facts = []
    if let picture { facts.append("\(picture.width) × \(picture.height)") }
    if let bytes, rendition.status != .failed { facts.append(ByteCountText.text(bytes)) }
    switch rendition.status {
    case .current: facts.append("up to date")
    case .failed: facts += ["failed", rendition.failure?.code].compactMap { $0 }.map(SafeText.escape)
    case .made, .notStored: break
    }
    details = [
      ReportText.shortened(rendition.source), rendition.sourceBytes.map { ByteCountText.text($0) } ?? "",
      "\(rendition.file):\(rendition.line)", ReportText.shortened(rendition.key, to: 1000),
      rendition.fileName ?? "", rendition.note ?? "",
      ReportText.shortened(rendition.failure?.message ?? "", to: 1000),
    ].map(SafeText.escape)
  }

  package var source: String { details[0] }

  /// Where a link to it leads without scripts; with them it is always this page.
  package var address: String {
    page == 1 ? "#r-\(id)" : "\(ReportPage.data)/\(PlainPage.name(page))#r-\(id)"
  }

  /// Why there is no picture.
  var absence: String {
    switch status {
    case .notStored: "not stored"
    case .failed: "failed"
    case .made, .current: "no preview"
    }
  }

  /// Bytes beyond those of its source; nil where it is the smaller one, or either is not known.
  package var excess: Int? {
    guard let bytes, let sourceBytes, sourceBytes > 0, bytes > sourceBytes else { return nil }
    return bytes - sourceBytes
  }
}

extension RenditionCard.Gain {
  fileprivate init?(_ bytes: Int?, of sourceBytes: Int?) {
    guard let sourceBytes, sourceBytes > 0, let bytes, bytes != sourceBytes else { return nil }
    let saved = sourceBytes - bytes
    // fits: a record has no number beyond 1e14.
    let percent = Int((Double(saved.magnitude) / Double(sourceBytes) * 100).rounded())
    isMore = saved < 0
    title = "\(ByteCountText.text(Int(saved.magnitude))) \(isMore ? "more" : "less") than the source"
    text = "\(isMore ? "+" : "−")\(percent) %"
  }
}

extension RenditionRecord {
  /// Sixteen hexadecimal digits that stand for the rendition wherever its cache lies.
  package var digest: String {
    // A line that was left out has no key; its place is all that tells it from others.
    let key = isSkippedLine ? "\(file):\(line)" : key
    let parts = [job.split(separator: "/").last.map(String.init) ?? job, key, chainAndScale]
    return String(SHA256.hexadecimal(of: parts.joined(separator: "\n")).prefix(16))
  }
}

extension RenditionRecord.Status {
  /// In words, as filters and tables name it.
  package var words: String {
    switch self {
    case .made: "made"
    case .current: "up to date"
    case .notStored: "not stored"
    case .failed: "failed"
    }
  }
}

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
      if let picture, picture.url == nil {
        "<a href=\"../\(picture.address)\">\(name)</a>"
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
  var dataRow: [JSONCell] {
    // Of a picture that is part of the page the card has it from the start.
    let shown = picture.map { $0.url == nil ? $0.name : "=" } ?? ""
    let changes = RunComparison.Change.allCases
    let fields: [JSONCell] = [
      .string(id), .string(name), .string(chain),
      .integer(RenditionRecord.Status.allCases.firstIndex(of: status) ?? 0),
      .string(facts.joined(separator: " · ")), .string(gain?.text ?? ""), .string(gain?.title ?? ""),
      .integer(gain?.isMore == true ? 1 : 0), .string(shown), .integer(picture?.width ?? 0),
      .integer(picture?.height ?? 0), .integer(bytes ?? -1), .integer(sourceBytes ?? -1), .integer(client),
      .integer(change.flatMap { changes.firstIndex(of: $0) } ?? -1), .integer(isLinked ? 1 : 0),
    ]
    return fields + details.map(JSONCell.string)
  }
}
