import FileStore
import Reporting
import Sessions
import Text

/// The result of a replay as an HTML page.
struct ReplayPage {
  let report: ReplayReport
  let requests: [ReplayedRequest]
  let text: ReplayText
  let cache: ReplayedCache

  func write(into folder: String) throws(FileStoreError) {
    let requests = report.judged + report.count(.memory)
    try FactsPage.write(
      into: folder, title: "\(ReplayText.percent(report.hitRate)) answered",
      eyebrow: "replay of \(NumberText.count(requests, "request"))",
      headline: "\(ReplayText.percent(report.hitRate)) of the requests are answered from \(report.cache).",
      facts: facts, sections: [order, missed, misses, cures, unused, smallest].compactMap { $0 },
      footer:
        "Preheat \(PreheatVersion.text), \(report.client); \(NumberText.count(report.entries, "entry", "entries")), "
        + ByteCountText.text(report.bytes))
  }

  private var facts: [FactsPage.Fact] {
    var facts = [
      FactsPage.Fact("exact", NumberText.grouped(report.count(.exact))),
      .init("partial", NumberText.grouped(report.count(.partial))),
      .init("missed", NumberText.grouped(report.count(.miss)), isBad: report.count(.miss) > 0),
      .init("from memory", NumberText.grouped(report.count(.memory))),
      .init("not fetched", ByteCountText.text(report.bytesSaved)),
      .init("not processed", NumberText.grouped(report.processingSaved)),
    ]
    let gone = report.expired + report.swept + report.crowdedOut
    if gone > 0 { facts.append(.init("gone before the session", NumberText.grouped(gone), isBad: true)) }
    return facts
  }

  /// How many columns the session is drawn in at most.
  private static let columns = 120

  private var order: PageSection? {
    let judged = requests.filter { $0.outcome != .memory }
    guard !judged.isEmpty else { return nil }
    let width = max(1, (judged.count + Self.columns - 1) / Self.columns)
    let columns = stride(from: 0, to: judged.count, by: width).map { first in
      let part = judged[first..<min(first + width, judged.count)]
      return [ReplayedRequest.Outcome.exact, .partial, .miss].map { outcome in
        Double(part.count { $0.outcome == outcome }) / Double(part.count)
      }
    }
    return .chart(
      "order", "The session",
      introduction:
        "Each column is \(NumberText.count(width, "request")): exact hits below, partial above them, misses on top.",
      columns: columns, label: "Hits and misses in the order of the session")
  }

  /// Larger pictures are not put into the page.
  private static let mostBytes = 256 << 10

  /// The chains that are missing, with pictures of their sources as far as the cache has any.
  private var missed: PageSection? {
    guard !report.missed.isEmpty else { return nil }
    return .pictures(
      "missed", "What was missed",
      groups: report.missed.prefix(10).map { chain in
        PageSection.PictureGroup(
          title: text.title(chain), note: ReplayText.counts(chain),
          pictures: chain.samples.map { sample in
            PageSection.ShownPicture(
              name: text.shown(sample.url),
              bytes: sample.file.flatMap { cache.bytes(of: $0, atMost: Self.mostBytes) })
          })
      })
  }

  private var misses: PageSection? {
    guard !report.reasons.isEmpty else { return nil }
    let rows = report.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return .table(
      "misses", "Why requests missed", head: ["reason", "requests"],
      rows: rows.map { [$0.key, NumberText.grouped($0.value)] })
  }

  private var cures: PageSection? {
    guard !report.cures.isEmpty else { return nil }
    return .table(
      "cures", "Job lines to add", head: ["line", "misses", "partial hits"],
      rows: report.cures.prefix(100).map { cure in
        [text.shown(cure.line), NumberText.grouped(cure.misses), NumberText.grouped(cure.partials)]
      })
  }

  private var unused: PageSection? {
    guard !report.unused.isEmpty else { return nil }
    return .table(
      "unused", "Unused entries",
      introduction: "\(NumberText.count(report.unused.count, "entry", "entries")), "
        + ByteCountText.text(report.unused.reduce(0) { $0 + $1.size }),
      head: ["entry", "source", "size"],
      rows: report.unused.prefix(100).map {
        [$0.file.path, $0.source.map(text.shown) ?? "", ByteCountText.text($0.size)]
      })
  }

  private var smallest: PageSection? {
    .table(
      "smallest", "Smallest cache", head: ["requests", "cache"],
      rows: report.smallest.map { ["\($0.percent) %", ReplayText.size($0, report)] })
  }
}
