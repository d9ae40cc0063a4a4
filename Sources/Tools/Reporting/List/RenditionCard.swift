import Digests
import Planning
import Text

/// A rendition as a report shows it: in words and numbers, not yet in any markup. All texts are escaped for reading.
struct RenditionCard: Sendable, Hashable {
  /// What the details are about, in their order.
  package static let labels = ["source", "source size", "line", "key", "file", "note", "failure"]

  /// The same for each run that names this rendition, so that a link to it lasts.
  package var id: String
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
  package var bytes: Int?
  package var sourceBytes: Int?

  /// A rendition's size against that of its source.
  package struct Gain: Sendable, Hashable {
    /// `−93 %`.
    package var text: String
    package var title: String
    var isMore: Bool

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

  init(_ rendition: RenditionRecord, id: String, picture: PictureShelf.Picture?) {
    self.id = id
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
      "\(rendition.file):\(rendition.line)", ReportText.shortened(rendition.entryKey, to: 1000),
      rendition.entryFile ?? "", rendition.note ?? "",
      ReportText.shortened(rendition.failure?.message ?? "", to: 1000),
    ].map(SafeText.escape)
  }
}

extension RenditionRecord {
  /// Sixteen hexadecimal digits that stand for the rendition wherever its cache lies.
  package var digest: String {
    // The file's name is a digest of the key. Without one, as of a line that was left out, the place tells it from others.
    let parts = [PathText.name(of: job) ?? job, entryFile ?? "\(file):\(line)", chainAndScale]
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

/// A row of the list's data, of which the page's script makes a card.
extension RenditionCard {
  /// The members of ``dataRow``, in their order; the details follow them.
  static let fields = [
    "id", "name", "chain", "status", "facts", "gain", "title", "more", "picture", "width", "height", "bytes",
    "sourceBytes", "linked",
  ]

  /// A JSON array for the script.
  var dataRow: [JSONCell] {
    let fields: [JSONCell] = [
      .string(id), .string(name), .string(chain),
      .integer(RenditionRecord.Status.allCases.firstIndex(of: status) ?? 0),
      .string(facts.joined(separator: " · ")), .string(gain?.text ?? ""), .string(gain?.title ?? ""),
      .integer(gain?.isMore == true ? 1 : 0), .string(picture?.name ?? ""), .integer(picture?.width ?? 0),
      .integer(picture?.height ?? 0), .integer(bytes ?? -1), .integer(sourceBytes ?? -1),
      .integer(isLinked ? 1 : 0),
    ]
    return fields + details.map(JSONCell.string)
  }
}
