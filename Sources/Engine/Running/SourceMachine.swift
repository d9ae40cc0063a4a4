import CacheStore
import ClientKit
import Fetching
import Pictures
import Planning
import Rendering
import Text

/// Decides what is done next for one source, from the first look at the ledger to the outcome of its last rendition.
///
/// A plain value without I/O, clock or tasks. It returns steps: any number of actions that need no answer, then at
/// most one that does. The engine performs them and reports the answer as an event; a step without a question is
/// the last one.
struct SourceMachine: Sendable {
  /// A rendition of the source, before anybody knows whether anything has to be done for it.
  struct Candidate: Sendable {
    var task: RenditionTask
    /// Why it cannot be made, whatever the source is.
    var impossibility: RunFailure?
    /// Servers are asked whether a source has changed. Without an HTTP cache they are not.
    var revalidates = true
  }

  let work: SourceWork
  let run: RunFrame
  let candidates: [Candidate]

  /// Bytes of the shared budget that the source holds.
  var held = 0
  var stage = Stage.idle
  /// By candidate: what its files were made from, if all of them are intact and of one version.
  var known: [VersionMark?]
  /// Nil before it was looked up.
  var version: HTTPVersion??
  var localFile: LocalFile.Status??
  /// Renditions that are made whatever the source is now.
  var needed: [RenditionTask] = []
  /// Renditions whose files are intact: they are right if the source is still what they were made from.
  var unproven: [(task: RenditionTask, known: VersionMark)] = []
  /// By cache folder: renditions that are not stored and that the entries of others may serve.
  var served: [Int: [RenditionOutcome]] = [:]
  /// Renditions that are right as far as their files' sizes and dates tell, and have an original that may be read.
  var assumed: [RenditionTask] = []
  /// The first bytes of the file, if they did not suffice.
  var head: SourceBody?

  init(work: SourceWork, candidates: [Candidate], run: RunFrame) {
    self.work = work
    self.candidates = candidates
    self.run = run
    known = Array(repeating: nil, count: candidates.count)
  }

  /// The question that is open.
  enum Stage: Sendable {
    case idle
    case lookingUpFiles([Int])
    case lookingUpVersion
    case lookingUpLocalFile
    case lookingUpVersionForHead
    case measuring
    case reservingHead
    case fetchingHead
    indirect case renderingHead(Rendering)
    case reserving
    case fetching
    /// The files of renditions that are others than planned, since the body is animated.
    indirect case lookingUpAdapted([RenditionTask], of: SourceBody)
    indirect case rendering(Rendering)
    indirect case storing(Results, sessions: ArraySlice<Int>)
    /// Nothing is open and nothing is held.
    case ended
  }

  // MARK: - What goes in and out

  /// What is large in it, and in the other enumerations, lies elsewhere: most sources need none of it, and are many.
  enum Action: Sendable {
    // Questions.

    /// Look up the source versions of these renditions' files: `files`.
    case lookUpFiles([RenditionTask])
    /// Look up the URL in the HTTP cache: `version`.
    case lookUpVersion
    /// Size and date of the local file: `localFile`.
    case lookUpLocalFile
    /// Wait until this number of bytes of the budget is free, and take them: `reserved`.
    case reserve(bytes: Int)
    /// `head`, or `failed`.
    indirect case fetchHead(HTTPRequest)
    /// `body`, `unchanged` or `failed`.
    indirect case fetch(Fetch)
    /// `rendered`, or `notRendered`.
    indirect case render(Rendering)
    /// `staged`.
    indirect case store(Storing)

    // Orders, which need no answer.

    case settle([RenditionOutcome])
    /// The same in one cache folder, once all files that were stored until now lie there.
    case settleLast([RenditionOutcome], session: Int)
    /// The ledger learns what the source can be asked with from now on.
    indirect case renew(RenditionTask, SourceBody)
    indirect case countFetched(SourceBody)
    case countValidated
    case correct(from: Int, to: Int)
    case release(bytes: Int)
  }

  enum Event: Sendable {
    /// For each rendition in the order asked for: a version for each of its files, fewer where one is not intact.
    case files([[VersionMark]])
    case version(HTTPVersion?)
    case localFile(LocalFile.Status?)
    case reserved
    /// Nil where the server answers no ranges and the whole has to be asked for.
    indirect case head(SourceBody?)
    indirect case body(SourceBody)
    /// The source is what the question was about.
    case unchanged
    /// An original in a cache folder turned out to have other bytes than those that were stored. It is forgotten.
    case damaged(CacheFile)
    indirect case failed(RunFailure)
    /// With why the bytes may not be stored as they came, where that was asked and is so.
    indirect case rendered(RenderedOutputs, RenderFailure?)
    indirect case notRendered(RenderFailure)
    case staged
    /// The run is being stopped; nothing is known of what was asked.
    case cancelled
  }

  /// A file of a cache folder.
  struct CacheFile: Sendable {
    var session: Int
    var name: String
  }

  /// The version that a file was made from, as a server is asked about it.
  struct Question: Sendable {
    var file: CacheFile
    /// Its digest where the HTTP cache has the same version, and so what the server gave with it; else the ledger does.
    var digest: String?
  }

  /// The ways to the source's bytes, tried in order until one answers.
  struct Fetch: Sendable {
    enum Way: Sendable {
      /// A file, or the URL itself.
      case local
      case httpCache
      /// The source as an earlier run stored it in the cache folder.
      case storedOriginal
      /// The same, where the HTTP cache or the server says that it still is the source.
      case currentOriginal
      case rest(of: SourceBody)
      /// Unless it still is that version.
      case whole(unless: Question?)
    }

    var request: HTTPRequest
    var ways: [Way]
    var otherwise: RunFailure?
  }

  /// All that is made of the source's bytes in one pass.
  struct Rendering: Sendable {
    /// A rendition with the places of what it needs among the outputs.
    struct Part: Sendable {
      var task: RenditionTask
      var encoded: Int?
      /// The output that proves by decoding that the original is whole.
      var original: Int?
    }

    var body: SourceBody
    var parts: [Part]
    var outputs: [RenderRequest.Output]
    var labels: RenderLabels
    var limits: RenderLimits
    var checksOriginal: Bool
  }

  /// The files that go into one cache folder.
  struct Storing: Sendable {
    var session: Int
    /// By file name, each name once.
    var files: [FinishedFile]
    /// True once the files are published.
    var outcomes: [RenditionOutcome]
  }

  // MARK: - From event to step

  mutating func start() -> [Action] {
    let asked = candidates.indices.filter { mayBeCurrent(candidates[$0]) }
    guard !asked.isEmpty else { return classify() }
    stage = .lookingUpFiles(asked)
    return [.lookUpFiles(asked.map { candidates[$0].task })]
  }

  mutating func take(_ event: Event) -> [Action] {
    switch (stage, event) {
    case (.lookingUpFiles(let asked), .files(let files)):
      return know(asked, files)
    case (.lookingUpVersion, .version(let found)):
      version = .some(found)
      return classify()
    case (.lookingUpLocalFile, .localFile(let found)):
      localFile = .some(found)
      return classify()
    case (.lookingUpVersionForHead, .version(let found)):
      version = .some(found)
      return begin()
    case (.measuring, .localFile(let found)):
      localFile = .some(found)
      return reserve()
    case (.reservingHead, .reserved):
      stage = .fetchingHead
      return [.fetchHead(request)]
    case (.fetchingHead, .head(let head)):
      return takeHead(head)
    case (.reserving, .reserved):
      return fetch()
    case (.fetching, .body(let body)):
      return takeBody(body)
    case (.fetching, .damaged(let original)):
      return fetch(without: original)
    case (.lookingUpAdapted(let asked, let body), .files(let files)):
      return settleCurrent(asked, files, body) + render(body)
    case (.fetching, .unchanged):
      return [.countValidated, .settle(unproven.map { $0.task.outcome(.current) })] + finish()
    case (.fetchingHead, .failed(let failure)), (.fetching, .failed(let failure)):
      return [.settle(tasks.map { $0.outcome(.failed(failure)) })] + finish()
    case (.renderingHead(let rendering), .rendered(let results, let damage)):
      guard !results.needRest else { return goOn(after: rendering.body) }
      return [.countFetched(rendering.body)]
        + store(Results(rendering: rendering, outputs: results, damage: damage))
    case (.renderingHead(let rendering), .notRendered):
      return goOn(after: rendering.body)
    case (.rendering(let rendering), .rendered(let results, let damage)):
      return store(Results(rendering: rendering, outputs: results, damage: damage))
    case (.rendering(let rendering), .notRendered(let failure)):
      return [.settle(rendering.parts.map { $0.task.outcome(.failed(self.failure(failure))) })] + finish()
    case (.storing(let results, let sessions), .staged):
      return store(results, sessions)
    case (.fetchingHead, .cancelled), (.fetching, .cancelled), (.renderingHead, .cancelled),
      (.rendering, .cancelled):
      // What is not settled is counted as left undone.
      return finish()
    case (.ended, _):
      return []
    default:
      return [.settle(unsettled.map { $0.outcome(.failed(.unexpectedEvent)) })] + finish()
    }
  }

  /// The renditions that have no outcome yet, and none on its way to the disk.
  private var unsettled: [RenditionTask] {
    switch stage {
    case .idle, .lookingUpFiles, .lookingUpVersion, .lookingUpLocalFile: candidates.map(\.task)
    case .storing(let results, let sessions):
      results.rendering.parts.map(\.task).filter { sessions.contains($0.session) }
    default: tasks
    }
  }

  /// The last step: nothing is held any more.
  mutating func finish() -> [Action] {
    stage = .ended
    defer { (assumed, served) = ([], [:]) }
    return (assumed.isEmpty ? [] : [.settle(assumed.map { $0.outcome(.current) })]) + release()
      + served.sorted { $0.key < $1.key }.map { .settleLast($0.value, session: $0.key) }
  }

  mutating func release() -> [Action] {
    defer { held = 0 }
    return held == 0 ? [] : [.release(bytes: held)]
  }

  var tasks: [RenditionTask] { needed + unproven.map(\.task) }

  var isWeb: Bool { work.scheme.isWeb }

  /// No server answers where a file is.
  func failure(_ failure: RenderFailure) -> RunFailure {
    var failure = failure
    if !isWeb, failure.advice == ForeignFormat.look { failure.advice = nil }
    return RunFailure(failure)
  }

  var limits: RenderLimits { run.jobs[work.first.plan].limits }
}
