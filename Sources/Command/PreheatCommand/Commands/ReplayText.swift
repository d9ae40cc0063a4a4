import Sessions
import Syntax
import Text

/// The result of a replay for people.
struct ReplayText {
  let report: ReplayReport
  let showsSecrets: Bool

  /// `84.3 %`; never 100 where one is missing, nor 0 where one is there.
  static func percent(_ value: Double) -> String {
    let tenths = value > 50 ? (value * 10).rounded(.down) : (value * 10).rounded(.up)
    return "\(NumberText.plain(tenths / 10)) %"
  }

  private func shown(_ text: String) -> String {
    SafeText.escape(RenditionText.shortened(showsSecrets ? text : URLRedaction.redacted(text)))
  }

  private func shownKey(_ request: RecordedRequest) -> String {
    if showsSecrets { return shown(request.key) }
    return RenditionText.key(request.key, source: request.url.map(URLRedaction.redacted))
  }

  /// Each request, in the session's order.
  func list(_ requests: [ReplayedRequest]) -> String {
    requests.map { request in
      "\("\(request.number)".padded(to: 6)) \(request.outcome.rawValue.padded(to: 8)) \(shownKey(request.request))\n"
        + "                \(SafeText.escape(request.reason))\n"
    }.joined()
  }

  var summary: String {
    head + before + rates + saved + missed + reasons + cures + unused
  }

  private var head: String {
    var text = "\(NumberText.count(report.requests, "request")) with \(NumberText.count(report.keys, "key")) "
    text += "in \(SafeText.escape(report.cache)): "
    text += "\(NumberText.count(report.entries, "entry", "entries")) of \(report.client.inWords), "
    return text + "\(ByteCountText.text(report.bytes))\(RenditionText.limit(report.sizeLimit))\n"
  }

  private var before: String {
    let facts = [(report.expired, "expired"), (report.swept, "swept")].filter { $0.0 > 0 }
    if facts.isEmpty { return "" }
    let texts = facts.map { "\(NumberText.grouped($0)) \($1)" }
    return "gone before the session: \(texts.joined(separator: ", "))\n"
  }

  private var rates: String {
    func row(_ name: String, _ outcome: ReplayedRequest.Outcome, _ note: String) -> String {
      let count = report.count(outcome)
      let share = outcome == .memory ? "" : Self.percent(ReplayReport.percent(count, of: report.judged))
      return
        "  \(name.padded(to: 8)) \(NumberText.grouped(count).padded(to: 9)) \(note.isEmpty ? share : "\(share.padded(to: 8)) \(note)")\n"
    }
    var text = row("exact", .exact, "the request's own entry")
    text += row("partial", .partial, "an entry from earlier in the chain; the app makes the rest")
    text += row("miss", .miss, "")
    if report.count(.memory) > 0 {
      text += row("memory", .memory, "not counted: answered before the disk cache")
    }
    return text
      + "hit rate: \(Self.percent(report.hitRate)); exact alone: \(Self.percent(report.exactRate))\n"
  }

  private var saved: String {
    let unknown = report.sourcesOfUnknownSize
    var text = "saved: \(NumberText.count(report.sourcesSaved, "source")) not fetched"
    if report.sourcesSaved > unknown {
      text += " (\(unknown > 0 ? "at least " : "")\(ByteCountText.text(report.bytesSaved)))"
    }
    if unknown > 0 {
      text +=
        ", of \(unknown == report.sourcesSaved ? "a size" : "\(NumberText.grouped(unknown)) the size is") not known "
      text += "as the cache has no original"
    }
    return text + ", \(NumberText.count(report.processingSaved, "picture")) not processed\n"
  }

  /// `card`, or the chain as a job spells it.
  private func title(_ chain: MissedChain) -> String {
    let spelled = chain.chain.isEmpty ? "a chain that cannot be read" : chain.chain
    let scale = chain.scale.map { " @\(NumberText.plain($0))x" } ?? ""
    return SafeText.escape(
      showsSecrets ? chain.name ?? spelled : URLRedaction.redacted(chain.name ?? spelled)) + scale
  }

  private var missed: String {
    guard !report.missed.isEmpty else { return "" }
    let rest = report.missed.count - 10
    return "\nwhat was missed:\n"
      + report.missed.prefix(10).map { chain in
        "  \(title(chain)) is missing for \(NumberText.count(chain.sources, "source")): "
          + "\(NumberText.count(chain.misses, "miss", "misses"))\n"
      }.joined()
      + (rest > 0 ? "  and \(NumberText.count(rest, "more chain"))\n" : "")
  }

  private var reasons: String {
    guard !report.reasons.isEmpty else { return "" }
    let rows = report.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
    return "\nwhy requests missed:\n"
      + rows.map { "  \(NumberText.grouped($0.value).padded(to: 8)) \(SafeText.escape($0.key))\n" }.joined()
  }

  private var cures: String {
    guard !report.cures.isEmpty || report.incurable > 0 else { return "" }
    var text = "\njob lines that would answer the most misses:\n"
    for cure in report.cures.prefix(10) {
      let partials = cure.partials > 0 ? "\(NumberText.grouped(cure.partials)) in part" : ""
      text +=
        "  \(NumberText.grouped(cure.misses).padded(to: 8)) \(partials.padded(to: 14)) \(shownLine(cure.line))\n"
    }
    let rest = report.cures.count - 10
    if rest > 0 { text += "  and \(NumberText.count(rest, "more line")); --cures FILE writes them all\n" }
    if report.incurable > 0 {
      text +=
        "  \(NumberText.count(report.incurable, "key")) that no job line makes; --cures FILE gives the reasons\n"
    }
    return text
  }

  /// A line begins with its URL.
  private func shownLine(_ line: String) -> String {
    let url = line.prefix { $0 != " " }
    let rest = String(line.dropFirst(url.count))
    return shown(String(url)) + SafeText.escape(showsSecrets ? rest : URLRedaction.redacted(rest), limit: 300)
  }

  private var unused: String {
    guard !report.unused.isEmpty else { return "" }
    var text = "\n\(NumberText.count(report.unused.count, "entry", "entries")) that no request used, "
    text += "\(ByteCountText.text(report.unusedBytes)):\n"
    for entry in report.unused.prefix(10) {
      text += "  \(ByteCountText.text(entry.size).padded(to: 10)) \(SafeText.escape(entry.file.path))"
      text += entry.source.map { "  \(shown($0))" } ?? ""
      text += "\n"
    }
    return text
      + (report.unused.count > 10 ? "  and \(report.unused.count - 10) more; --json lists them all\n" : "")
  }
}

extension ReplayedRequest: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "request", ("number", \.number), ("key", \.request.key), ("outcome", \.outcome),
    ("reason", \.reason),
    ("file", \.file), ("chain", \.chain), ("repeated", \.isRepeated), ("url?", \.request.url),
    ("id?", \.request.id), ("at?", \.request.at), ("options?", \.options))

  private var options: [String]? { request.options.isEmpty ? nil : request.options }
}

extension MissedChain: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "missed", ("chain", \.chain), ("name", \.name), ("scale?", \.scale), ("misses", \.misses),
    ("sources", \.sources))
}

extension ReplayReport.Cure: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "cure", ("line", \.line), ("misses", \.misses), ("partials", \.partials))
}

extension ReplayedCache.Entry: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "unused", ("file", \.file.path), ("size", \.size), ("key", \.key), ("source", \.source))
}

extension ReplayReport: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "replay", ("cache", \.cache), ("client", \.client.description),
    ("rules?", \.client.rules?.description), ("requests", \.requests),
    ("keys", \.keys), ("exact", \.[.exact]), ("partial", \.[.partial]), ("miss", \.[.miss]),
    ("memory", \.[.memory]), ("unread", \.unread), ("hitRate", \.hitRate), ("exactRate", \.exactRate),
    ("entries", \.entries), ("bytes", \.bytes), ("sizeLimit", \.sizeLimit), ("after", \.after),
    ("expired", \.expired), ("swept", \.swept), ("sourcesSaved", \.sourcesSaved),
    ("bytesSaved", \.bytesSaved), ("processingSaved", \.processingSaved),
    ("unused", \.unused.count), ("unusedBytes", \.unusedBytes), ("incurable", \.incurable))

  private subscript(outcome: ReplayedRequest.Outcome) -> Int { count(outcome) }
  fileprivate var requests: Int { judged + count(.memory) }
  fileprivate var unusedBytes: Int { unused.reduce(0) { $0 + $1.size } }

  /// The lines after the requests: what was missed, job lines to add, unused entries and the summary.
  var lines: some Sequence<String> {
    let parts = [
      AnySequence(missed.lazy.map(\.jsonLine)), AnySequence(cures.lazy.map(\.jsonLine)),
      AnySequence(unused.lazy.map(\.jsonLine)), AnySequence([jsonLine]),
    ]
    return parts.joined()
  }
}
