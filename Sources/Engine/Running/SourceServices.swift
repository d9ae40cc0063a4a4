import CacheStore
import Concurrency
import Fetching
import Pictures
import Planning
import Rendering
import Signposts
import Text

/// What the way of a source needs of its run. Tests put values of their own in place of the loader, the renderer and
/// the caches.
struct SourceServices: Sendable {
  /// The cache folders of the run.
  let stores: [any SourceStore]
  let loader: @Sendable (SourceWork) -> any SourceLoading
  let renderer: any SourceRendering
  let budget: ByteBudget
  let tally: RunTally
  var signposts = Signposter.disabled
}

/// A cache folder with its ledger.
protocol SourceStore: Sendable {
  /// The version that an earlier run made a file from, of the same source in the same way; nil where it was changed
  /// since.
  func intactVersion(of expected: ExpectedEntry) throws -> HTTPKnownVersion?
  /// What the ledger says of a file that should have a source's own bytes, untouched since.
  func originalEntry(file: String, sourceID: String) throws -> LedgerEntry?
  /// A source's own bytes; nil where the file does not hold them any more. It is forgotten then.
  func original(_ entry: LedgerEntry) throws -> SourceBody?
  /// Notes what a source can be asked with from now on, for files that were right all the same.
  func renew(files: [String], etag: String?, lastModified: String?) throws
  /// Takes the files of one source. The outcomes are true once the files have their names; without files, once all
  /// files that were taken until now have theirs.
  func store(_ files: [FinishedFile], outcomes: [RenditionOutcome]) async throws
}

/// The way to a source's bytes on the web.
protocol SourceLoading: Sendable {
  /// The version that the HTTP cache has.
  func version(for request: HTTPRequest) -> HTTPVersion?
  /// What the HTTP cache has, without a question to the server.
  func cached(_ request: HTTPRequest) -> SourceBody?
  /// The first bytes; nil where the server answers no ranges and the whole has to be asked for.
  func head(_ request: HTTPRequest) async throws(HTTPFailure) -> SourceBody?
  /// The whole whose first bytes these are; nil where it has to be fetched from its beginning.
  func whole(_ head: SourceBody, _ request: HTTPRequest) async -> SourceBody?
  /// The source for a caller that has its bytes; nil where it is not known if they are still right.
  func load(_ request: HTTPRequest, having body: SourceBody) async throws(RunFailure) -> SourceBody?
  /// The source, unless it still is that version.
  func load(
    _ request: HTTPRequest, unless known: HTTPKnownVersion?
  ) async throws(RunFailure) -> SourceLoader.Outcome
}

extension SourceLoader: SourceLoading {
  func version(for request: HTTPRequest) -> HTTPVersion? { cache?.version(for: request) }

  func cached(_ request: HTTPRequest) -> SourceBody? {
    cache?.cachedResponse(for: request).map { SourceBody($0) }
  }

  func head(_ request: HTTPRequest) async throws(HTTPFailure) -> SourceBody? {
    try await SourceBody.head(request, bytes: RenderRequest.headBytes, fetch: loadPart)
  }

  func whole(_ head: SourceBody, _ request: HTTPRequest) async -> SourceBody? {
    await head.whole(request, fetch: loadPart)
  }
}

/// The workers.
protocol SourceRendering: Sendable {
  /// - Throws: where there is no result at all; what fails for one output is said when it is asked for.
  func render(
    _ outputs: [RenderRequest.Output], of bytes: [UInt8], input: RenderRequest.Input, labels: RenderLabels,
    limits: RenderLimits?
  ) async throws(RenderFailure) -> RenderedOutputs
}

extension SourceRenderer: SourceRendering {}

final class RunTally: Sendable {
  private let report: Locked<RunReport>
  private let observer: any RunObserver
  private let signposts: Signposter

  init(_ plans: [Plan], observer: any RunObserver, signposts: Signposter) {
    self.signposts = signposts
    var report = RunReport()
    for plan in plans { report.counts.count(plan) }
    self.report = Locked(report)
    self.observer = observer
  }

  /// Counts what is not reported by itself.
  func count(_ change: (inout RunReport) -> Void) { report.withLock { change(&$0) } }

  /// Of files that are in their place, and what came about with them.
  func settle(_ outcomes: [RenditionOutcome], _ files: Int, _ bytes: Int) {
    count {
      $0.counts.filesWritten += files
      $0.counts.bytesWritten += bytes
    }
    settle(outcomes)
  }

  func settle(_ outcomes: [RenditionOutcome]) {
    for outcome in outcomes {
      let report = report.withLock { report in
        report.counts.count(outcome)
        return report
      }
      observer.settled(outcome, report: report)
      if case .failed(let failure) = outcome.status {
        signposts.emitEvent(
          .failRendition, [.chain: .text(outcome.rendition.chain), .code: .text(failure.code)])
      }
    }
  }

  func warn(_ text: String) { observer.warned(text) }

  var current: RunReport { report.withLock { $0 } }
}
