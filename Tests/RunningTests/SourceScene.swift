import Concurrency
import Foundation
import JobSupport
import Testing
import Text

@testable import CacheStore
@testable import ClientKit
@testable import Fetching
@testable import Pictures
@testable import Planning
@testable import Rendering
@testable import Running

/// A source's way through a run whose caches, server and workers answer as a test says.
struct SourceScene {
  static let url = "https://e.com/1.jpg"

  /// What happened, in order: `fetch whole`, `render 1 of a`, `store 1 in 0`, `renew circle a`.
  struct Story: Sendable {
    var steps: [String] = []
    /// Bytes of the budget that were held at each step.
    var held: [Int] = []
    /// `current`, `made`, `failed fetch.status`, in the order in which they were settled.
    var outcomes: [String] = []
    var notes: [String] = []
    var counts = RunCounts()
    var request: HTTPRequest?
    var renderings: [Rendering] = []
    var files: [FinishedFile] = []
    var made: [RenditionOutcome] = []

    var rendering: Rendering? { renderings.last }
    /// The last step before the end, without what is held then.
    var last: String? { steps.last }
  }

  struct Rendering: Sendable {
    var outputs: [RenderRequest.Output]
    var labels: RenderLabels
    var limits: RenderLimits
    var input: RenderRequest.Input
  }

  enum Answer: Sendable {
    case body(SourceBody)
    case unchanged
    case failure(String)
    case cancelled
  }

  /// Files by rendition, in the order of the job: of which versions they are, nothing where they are not intact.
  var files: [[String]] = []
  /// The version that files have that no planned rendition names.
  var otherFiles: String?
  var version: HTTPVersion?
  var cached: SourceBody?
  var head: Answer?
  var isHeadRefused = false
  /// The server's, one after the other; a failure at the end.
  var answers: [Answer] = []
  /// Of the original in a cache folder: its body, and whether the file still has it.
  var original: SourceBody?
  var isOriginalDamaged = false
  /// The output that fails, with its code.
  var failing: [Int: RenderFailure.Code] = [:]
  /// All results fail, or the run is cancelled while they are made.
  var renderFailure: RenderFailure.Code?
  var storeFailure: StoreFailure?

  let work: SourceWork
  private let frame: RunFrame
  private let sessions: Int

  /// - Parameter jobs: the lines of each job; those with the same cache line share a folder.
  init(_ jobs: String..., options change: (inout RunOptions) -> Void = { _ in }) throws {
    let plans = try jobs.map { job in
      let head =
        (job.contains("client ") ? "" : "client nuke 12\n") + (job.hasPrefix("cache ") ? "" : "cache out\n")
      let planned = Preheat.plan(head + job)
      return try #require(planned.plan, "\(planned.errors)")
    }
    let caches = Set(plans.map(\.settings.cache)).sorted()
    var options = RunOptions(renderer: "", workers: 1)
    options.date = RunDate(start: Date(timeIntervalSince1970: 1_800_000_000))
    options.http.bodyAllowance = 1000
    options.maxBytesInFlight = 100_000
    change(&options)
    work = try #require(Array(SourceWork.collect(plans)).first)
    frame = RunFrame(plans, options) { caches.firstIndex(of: $0) ?? 0 }
    sessions = caches.count
  }

  var tasks: [RenditionTask] { SourceRun.Candidate.all(of: work, in: frame).map(\.task) }

  /// All files are of this version.
  mutating func setIntact(_ digest: String) {
    files = tasks.map { $0.rendition.stores.map { _ in digest } }
  }

  func run() async throws -> Story {
    let story = Locked(Story())
    let budget = ByteBudget(bytes: frame.options.maxBytesInFlight)
    let stage = Stage(scene: self, story: story, budget: budget)
    let tally = RunTally([], observer: Observer(story: story), signposts: .disabled)
    let services = SourceServices(
      stores: (0..<sessions).map { Store(stage: stage, number: $0) }, loader: { _ in stage },
      renderer: stage, budget: budget, tally: tally)
    // In a task of its own, which an answer may cancel.
    let failure = await Task { [work, frame] in
      var source = SourceRun(work, in: frame, with: services)
      do { try await source.process() } catch { return error as (any Error)? }
      return nil
    }.value
    #expect(budget.held == 0, "all bytes are given back")
    if let failure { throw failure }
    var result = story.withLock { $0 }
    result.counts = tally.current.counts
    return result
  }

  static func version(_ digest: String) -> HTTPKnownVersion {
    HTTPKnownVersion(digest: digest, etag: "\"\(digest)\"")
  }

  static func body(_ digest: String, count: Int = 5000) -> SourceBody {
    body(digest, Array(repeating: 1, count: count))
  }

  static func body(_ digest: String, _ bytes: [UInt8]) -> SourceBody {
    SourceBody(bytes: bytes, digest: digest, etag: "\"\(digest)\"")
  }

  static func head(isWhole: Bool = false) -> SourceBody {
    var head = body("head", count: 600)
    head.isWhole = isWhole
    return head
  }

  fileprivate static func text(_ outcome: RenditionOutcome) -> String {
    switch outcome.status {
    case .made: "made"
    case .current: "current"
    case .notStored: "not stored"
    case .failed(let failure): "failed \(failure.code)"
    }
  }
}

private struct Observer: RunObserver {
  let story: Locked<SourceScene.Story>

  func settled(_ outcome: RenditionOutcome, report: RunReport) {
    story.withLock {
      $0.outcomes.append(SourceScene.text(outcome))
      if let note = outcome.rendition.note { $0.notes.append(note) }
    }
  }

  func warned(_ text: String, evenIfQuiet: Bool) {}
}

/// The server, the HTTP cache and the workers.
private struct Stage: SourceLoading, SourceRendering {
  let scene: SourceScene
  let story: Locked<SourceScene.Story>
  let budget: ByteBudget
  private let answers: Locked<[SourceScene.Answer]>

  init(scene: SourceScene, story: Locked<SourceScene.Story>, budget: ByteBudget) {
    (self.scene, self.story, self.budget) = (scene, story, budget)
    answers = Locked(scene.answers)
  }

  func note(_ step: String, _ request: HTTPRequest? = nil) {
    story.withLock {
      $0.steps.append(step)
      $0.held.append(budget.held)
      if let request { $0.request = request }
    }
  }

  func version(for request: HTTPRequest) -> HTTPVersion? {
    note("version")
    return scene.version
  }

  func cached(_ request: HTTPRequest) -> SourceBody? {
    note("HTTP cache", request)
    return scene.cached
  }

  func head(_ request: HTTPRequest) async throws(HTTPFailure) -> SourceBody? {
    note("head", request)
    switch scene.head {
    case .body(let body): return body
    case .unchanged, nil: return nil
    case .failure: break
    case .cancelled: withUnsafeCurrentTask { $0?.cancel() }
    }
    throw HTTPFailure(.resolve, "no")
  }

  func whole(_ head: SourceBody, _ request: HTTPRequest) async -> SourceBody? {
    note("rest of \(head.bytes.count)", request)
    return scene.isHeadRefused ? nil : scene.cached
  }

  func load(_ request: HTTPRequest, having body: SourceBody) async throws(RunFailure) -> SourceBody? {
    note("current \(body.digest)", request)
    return scene.cached
  }

  func load(
    _ request: HTTPRequest, unless known: HTTPKnownVersion?
  ) async throws(RunFailure) -> SourceLoader.Outcome {
    note("fetch" + (known.map { " unless \($0.etag == nil ? $0.digest : "ledger")" } ?? ""), request)
    let answer = answers.withLock { $0.isEmpty ? .failure("fetch.status") : $0.removeFirst() }
    switch answer {
    case .body(let body): return .body(body)
    case .unchanged: return .unchanged
    case .failure(let code): throw RunFailure(step: .fetch, code: code, message: "no")
    case .cancelled:
      withUnsafeCurrentTask { $0?.cancel() }
      throw RunFailure(step: .fetch, code: "fetch.cancelled", message: "no")
    }
  }

  func render(
    _ outputs: [RenderRequest.Output], of bytes: [UInt8], input: RenderRequest.Input, labels: RenderLabels,
    limits: RenderLimits?
  ) async throws(RenderFailure) -> RenderedOutputs {
    note("render \(outputs.count)")
    story.withLock {
      $0.renderings.append(
        .init(outputs: outputs, labels: labels, limits: limits ?? RenderLimits(), input: input))
    }
    if let code = scene.renderFailure {
      if code == .cancelled { withUnsafeCurrentTask { $0?.cancel() } }
      throw RenderFailure(code, "no")
    }
    let results = outputs.enumerated().map { index, output -> RenderAnswer.OutputResult in
      if let code = scene.failing[index] { return .failed(RenderFailure(code, "no")) }
      return output.encoding == .original
        ? .original : .encoded(format: .png, width: 1, height: 1, byteCount: 1, note: nil)
    }
    let payload = results.reduce(0) { $0 + $1.payloadBytes }
    return try RenderedOutputs(
      answer: RenderAnswer(source: nil, outputs: results), payload: Array(repeating: 7, count: payload),
      count: results.count)
  }
}

/// A cache folder.
private struct Store: SourceStore {
  let stage: Stage
  let number: Int

  func intactVersion(of expected: ExpectedEntry) throws -> HTTPKnownVersion? {
    for (task, versions) in zip(stage.scene.tasks, stage.scene.files) where task.session == number {
      for (store, version) in zip(task.rendition.stores, versions) where store.fileName == expected.file {
        return SourceScene.version(version)
      }
    }
    let isPlanned = stage.scene.tasks.contains {
      $0.rendition.stores.contains { $0.fileName == expected.file }
    }
    return isPlanned ? nil : stage.scene.otherFiles.map(SourceScene.version)
  }

  func originalEntry(file: String, sourceID: String) throws -> LedgerEntry? {
    guard let original = stage.scene.original, number == 0,
      !(stage.scene.isOriginalDamaged && stage.story.withLock { $0.steps.contains("damaged") })
    else { return nil }
    return LedgerEntry(
      file: file, sourceID: sourceID, identity: "i", size: 1, digest: original.digest, modified: 0,
      sourceDigest: original.digest, etag: nil, lastModified: nil,
      origin: EntryOrigin(
        client: "", job: "", key: nil, source: "", chain: "", content: "original", expiry: nil, priority: 1))
  }

  func original(_ entry: LedgerEntry) throws -> SourceBody? {
    stage.note(stage.scene.isOriginalDamaged ? "damaged" : "original")
    return stage.scene.isOriginalDamaged ? nil : stage.scene.original
  }

  func renew(files: [String], etag: String?, lastModified: String?) throws {
    stage.note("renew \(files.count) \(etag ?? "")")
  }

  func store(_ files: [FinishedFile], outcomes: [RenditionOutcome]) async throws {
    if let failure = stage.scene.storeFailure { throw failure }
    if !files.isEmpty { stage.note("store \(files.count) in \(number)") }
    stage.story.withLock {
      $0.files += files
      $0.made += outcomes
      $0.outcomes += outcomes.map { SourceScene.text($0) + (files.isEmpty ? ", last in \(number)" : "") }
    }
  }
}

/// The smallest PNG with one pixel.
enum PNG {
  static let bytes =
    [UInt8](
      Data(
        base64Encoded:
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
        ?? Data())
}
