import ClientKit
import Foundation
import JobSupport
import Pictures
import Testing

@testable import CacheStore
@testable import Fetching
@testable import Planning
@testable import Rendering
@testable import Running

/// A machine with an engine that performs nothing: it keeps what the machine orders and shows what it asks.
struct SourceScene {
  static let url = "https://e.com/1.jpg"

  private(set) var machine: SourceMachine
  /// What is asked now, in one line; nil at the end.
  private(set) var question: String?
  /// `current`, `made`, `failed fetch.status`, in the order in which they were settled.
  private(set) var outcomes: [String] = []
  /// Of outcomes that stored nothing new.
  private(set) var notes: [String] = []
  /// Other orders, in theirs.
  private(set) var orders: [String] = []
  /// Bytes taken from the budget and not given back.
  private(set) var taken = 0
  private(set) var request: HTTPRequest?
  private(set) var rendering: SourceMachine.Rendering?
  private(set) var storing: SourceMachine.Storing?

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
    let work = try #require(Array(SourceWork.collect(plans)).first)
    machine = SourceMachine(
      work: work, run: RunFrame(plans, options) { caches.firstIndex(of: $0) ?? 0 })
    perform(machine.start())
  }

  /// Answers what is asked, and what is asked then.
  mutating func answer(_ events: SourceMachine.Event...) {
    for event in events { perform(machine.take(event)) }
  }

  /// All files are as they were made from `digest`, by an answer with this tag.
  mutating func answerIntact(_ digest: String) {
    let stores = machine.candidates.map { $0.task.rendition.stores.count }
    answer(.files(stores.map { Array(repeating: Self.version(digest), count: $0) }))
  }

  mutating func answerNoFiles() { answer(.files(machine.candidates.map { _ in [] })) }

  /// The engine has drawn all outputs, the failing ones excepted, and says so.
  mutating func answerRendered(
    failing failures: [Int: RenderFailure.Code] = [:], damage: RenderFailure? = nil
  ) throws {
    let outputs = (rendering?.outputs ?? []).enumerated().map { index, output -> RenderAnswer.OutputResult in
      if let code = failures[index] { return .failed(RenderFailure(code, "no")) }
      return output.encoding == .original
        ? .original : .encoded(format: .png, width: 1, height: 1, byteCount: 1, note: nil)
    }
    let payload = outputs.reduce(0) { $0 + $1.payloadBytes }
    let results = try RenderedOutputs(
      answer: RenderAnswer(source: nil, outputs: outputs), payload: Array(repeating: 7, count: payload),
      count: outputs.count)
    answer(.rendered(results, damage))
  }

  static func version(_ digest: String) -> VersionMark {
    VersionMark(digest: digest, etag: "\"\(digest)\"")
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

  // MARK: Performing

  private mutating func perform(_ step: [SourceMachine.Action]) {
    question = nil
    for action in step {
      #expect(question == nil, "nothing follows a question in a step")
      perform(action)
    }
  }

  private mutating func perform(_ action: SourceMachine.Action) {
    switch action {
    case .lookUpFiles(let tasks): question = "files of \(tasks.count)"
    case .lookUpVersion: question = "version"
    case .lookUpLocalFile: question = "local file"
    case .reserve(let bytes):
      taken += bytes
      question = "reserve \(bytes)"
    case .fetchHead(let request):
      self.request = request
      question = "head"
    case .fetch(let fetch):
      request = fetch.request
      question = "fetch \(fetch.ways.map(Self.text).joined(separator: ", "))"
      if let otherwise = fetch.otherwise { question? += ", or \(otherwise.code)" }
    case .render(let rendering):
      self.rendering = rendering
      question = "render \(rendering.outputs.count) of \(rendering.body.digest)"
    case .store(let storing):
      self.storing = storing
      question = "store \(storing.files.count) in \(storing.session)"
      outcomes += storing.outcomes.map(Self.text)
    case .settle(let settled):
      outcomes += settled.map(Self.text)
      notes += settled.compactMap(\.rendition.note)
    case .settleLast(let settled, let session):
      outcomes += settled.map { "\(Self.text($0)), last in \(session)" }
    case .renew(let task, let body): orders.append("renew \(task.rendition.chain) \(body.digest)")
    case .countFetched(let body): orders.append("fetched \(body.bytes.count)")
    case .countValidated: orders.append("validated")
    case .correct(let from, let to): taken += to - from
    case .release(let bytes): taken -= bytes
    }
  }

  private static func text(_ way: SourceMachine.Fetch.Way) -> String {
    switch way {
    case .local: "local"
    case .httpCache: "HTTP cache"
    case .storedOriginal: "stored original"
    case .currentOriginal: "current original"
    case .rest(let head): "rest of \(head.bytes.count)"
    case .whole(let question):
      "whole" + (question.map { " unless \($0.digest ?? "as in \($0.file.session)")" } ?? "")
    }
  }

  private static func text(_ outcome: RenditionOutcome) -> String {
    switch outcome.status {
    case .made: "made"
    case .current: "current"
    case .notStored: "not stored"
    case .failed(let failure): "failed \(failure.code)"
    }
  }
}
