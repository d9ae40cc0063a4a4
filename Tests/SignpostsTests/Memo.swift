import Concurrency

@testable import Signposts

/// Remembers what an exporter is told.
final class Memo: SignpostExporter {
  private let all = Locked<(records: [SignpostRecord], open: [SignpostSpan]?)>(([], nil))

  var records: [SignpostRecord] { all.withLock { $0.records } }
  var open: [SignpostSpan]? { all.withLock { $0.open } }

  func write(_ records: [SignpostRecord]) { all.withLock { $0.records += records } }
  func finish(open: [SignpostSpan], at time: Int64) { all.withLock { $0.open = open } }

  var intervals: [SignpostSpan] {
    records.compactMap { if case .interval(let span, _) = $0 { span } else { nil } }
  }
  var begun: [SignpostSpan] {
    records.compactMap { if case .begun(let span) = $0 { span } else { nil } }
  }
  var events: [SignpostSpan] {
    records.compactMap { if case .event(let span) = $0 { span } else { nil } }
  }
}
