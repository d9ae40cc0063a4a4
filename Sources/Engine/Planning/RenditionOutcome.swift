import ClientKit
import Digests
import Foundation
import JobFile
import Pictures
import Text

/// How one rendition ended.
package struct RenditionOutcome: Sendable {
  private var task: RenditionTask
  package var status: Status
  /// Bytes of the source, where it was at hand.
  package var sourceBytes: Int?

  package var rendition: PlannedRendition { _read { yield task.rendition } }

  fileprivate init(_ task: RenditionTask, _ status: Status, sourceBytes: Int?) {
    (self.task, self.status, self.sourceBytes) = (task, status, sourceBytes)
  }

  /// Of entries that are not there after all.
  package mutating func removeLookups(where isAbsent: (PlannedRendition.Lookup) -> Bool) {
    task = task.with { $0.lookups.removeAll(where: isAbsent) }
  }

  package enum Status: Sendable {
    /// Fetched, rendered and stored in this run.
    case made(bytes: Int, note: String?)
    /// What an earlier run made is still right.
    case current
    /// The client stores nothing for this request under the job's policy, so nothing was made.
    case notStored(reason: String)
    case failed(RunFailure)
  }

  /// What an app finds after the run; nil for a failed rendition, whose failure says more.
  package var found: PlannedRendition.Found? {
    switch status {
    case .made, .current: return rendition.found
    case .failed: return nil
    case .notStored:
      // The plan counts on entries that were left out, such as those whose expiry has passed.
      var left = rendition
      left.lookups.removeAll { lookup in rendition.stores.contains { $0.key.hasBytes(of: lookup.key) } }
      return left.found
    }
  }
}

/// A rendition that has to be made, as the engine sees it. A source hands it from step to step: by reference, since its
/// texts are many.
package final class RenditionTask: Sendable {
  package let rendition: PlannedRendition
  /// Which cache it goes to: an index into the run's sessions.
  package let session: Int
  /// Nil where only the original is stored.
  package let output: RenderOutput?
  package let options: RequestOptions
  /// What the original has to prove, where it is stored.
  package let check: OriginalCheck
  /// What animated sources become under the request's own key, for its identity.
  package let animated: String
  package let run: InRun

  /// What a task has of its run.
  package struct InRun: Sendable {
    /// Which of the run's plans it is from, and where it stands there.
    package var place: (plan: Int, row: Plan.Row)?
    /// What decides the bytes of each of the rendition's stores, in their order.
    package var identities: [String] = []
    /// The ledger's name of the job.
    package var job = ""
    /// The name of the client's release.
    package var client = ""
  }

  fileprivate init(
    _ rendition: PlannedRendition, session: Int, output: RenderOutput?, options: RequestOptions,
    check: OriginalCheck, animated: String, run: InRun
  ) {
    self.rendition = rendition
    self.session = session
    self.output = output
    self.options = options
    self.check = check
    self.animated = animated
    self.run = run
  }

  /// The same with another rendition.
  package func with(_ change: (inout PlannedRendition) -> Void) -> RenditionTask {
    var rendition = rendition
    change(&rendition)
    return RenditionTask(
      rendition, session: session, output: output, options: options, check: check, animated: animated,
      run: run)
  }

  package var storesOriginal: Bool { rendition.stores.contains { $0.content == .original } }

  /// All that decides the bytes of an entry besides its source and the drawing version.
  ///
  /// - Parameter animated: what is stored in place of a still of animated sources.
  package static func identity(
    content: EntryContent, output: RenderOutput?, sha256: String?, animated: String = ""
  ) -> String {
    var text = "preheat \(content.rawValue) \(sha256 ?? "-") "
    if content == .encoded, var output {
      // Nearly no picture is turned so: all others would be made again for it.
      output.turnsByXMP = nil
      text += json(output) + animated
    }
    let hash = SHA256.hexadecimal(of: text)
    // Said in words too, so that what is made of a cache can say it.
    return (content == .encoded ? output?.drawing : nil).map { "\(hash) \($0.rawValue)" } ?? hash
  }

  fileprivate static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// - Parameter sourceBytes: Bytes of the source, where it was at hand.
  package func outcome(_ status: RenditionOutcome.Status, sourceBytes: Int? = nil) -> RenditionOutcome {
    RenditionOutcome(self, status, sourceBytes: sourceBytes)
  }
}

/// How a source is drawn, by its format: entries of another number are made again.
package enum DrawingVersion {
  private static let ofFormats = Set(ImageFormat.allCases.compactMap(\.facts.drawingVersion))
  /// What earlier releases had for all formats.
  package static let common = 5
  private static let drawnOtherwise = ImageFormat.allCases.flatMap(\.facts.endingsDrawnOtherwise)

  package static func of(source: [UInt8]) -> Int {
    ImageFormat.sniff(source)?.facts.drawingVersion ?? common
  }

  /// - Parameter name: of the source. The ledgers of earlier releases tell no more of its format.
  package static func isCurrent(_ version: Int, name: String) -> Bool {
    guard version == common else { return ofFormats.contains(version) }
    let path = name.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return !drawnOtherwise.contains { path.hasSuffix(".\($0)") || path.hasPrefix("data:image/\($0)") }
  }
}

/// What the ledger says of the entries of a run's plans. Chains repeat from source to source, so the identities of
/// entries without options of their own are made once.
package struct EntryIdentities: Sendable {
  /// The name of each plan's job.
  package let jobs: [String]
  /// The names of the clients' releases.
  package let clients: [String]
  private let encoded: [[String]]
  private let original = RenditionTask.identity(content: .original, output: nil, sha256: nil)

  package init(plans: [Plan]) {
    jobs = plans.map(\.jobName)
    clients = plans.map(\.settings.client.description)
    encoded = plans.map { plan in
      plan.variants.map { variant in
        RenditionTask.identity(
          content: .encoded, output: plan.output(of: variant, options: .none), sha256: nil,
          animated: plan.storage(of: variant, .none).identity(of: variant.form.suffix))
      }
    }
  }

  fileprivate func identity(
    of content: EntryContent, row: Plan.Row, plan: Int, output: RenderOutput?, _ options: RequestOptions,
    animated: String
  ) -> String {
    guard options.sha256 == nil, options.encoding == nil, options.embedded == nil else {
      return RenditionTask.identity(
        content: content, output: output, sha256: options.sha256, animated: animated)
    }
    return content == .original ? original : encoded[plan][Int(row.variant)]
  }
}

extension Plan {
  /// The rendition as the engine makes it.
  ///
  /// - Parameters:
  ///   - kind: of a source that is known to be animated.
  ///   - run: which of a run's plans this is.
  package func task(
    at row: Row, session: Int, as kind: AnimatedKind? = nil,
    of run: (plan: Int, identities: EntryIdentities)? = nil
  ) -> RenditionTask {
    let (rendition, judged) = judged(at: row, as: kind)
    let options = options[Int(row.options)]
    var output: RenderOutput?
    switch rendition.stores.first(where: { $0.content != .original })?.content {
    case .encoded: output = self.output(of: variants[Int(row.variant)], options: options)
    case .frames:
      output = RenderOutput(
        steps: kind.flatMap { judged.storage.animated[$0] }?.steps ?? [],
        encoding: client.encoding(encoding(of: variants[Int(row.variant)], options)), drawsFrames: true
      ).drawn(by: settings.drawing)
    case .original, nil: break
    }
    var inRun = RenditionTask.InRun()
    if let (plan, all) = run {
      inRun.place = (plan, row)
      (inRun.job, inRun.client) = (all.jobs[plan], all.clients[plan])
      inRun.identities = rendition.stores.map {
        all.identity(
          of: $0.content, row: row, plan: plan, output: output, options, animated: judged.animated)
      }
    }
    return RenditionTask(
      rendition, session: session, output: output, options: options, check: check,
      animated: judged.animated, run: inRun)
  }

  /// A task as it is for an animated source; what it was planned to store has the identity that it had.
  package func adapted(_ task: RenditionTask, at row: Row, to kind: AnimatedKind) -> RenditionTask {
    let other = self.task(at: row, session: task.session, as: kind)
    let planned = Dictionary(
      zip(task.rendition.stores.map { ByteText($0.fileName) }, task.run.identities),
      uniquingKeysWith: { first, _ in first }
    )
    var inRun = task.run
    inRun.identities = other.rendition.stores.map {
      planned[ByteText($0.fileName)]
        ?? RenditionTask.identity(content: .original, output: nil, sha256: task.options.sha256)
    }
    return RenditionTask(
      other.rendition, session: other.session, output: other.output, options: other.options,
      check: other.check, animated: other.animated, run: inRun)
  }

  /// What a worker is asked for; nil where nothing can be drawn.
  package func output(of variant: ChainVariant, options: RequestOptions) -> RenderOutput? {
    guard case .steps(let steps) = variant.form.drawing else { return nil }
    var output = RenderOutput(
      steps: steps, encoding: client.encoding(encoding(of: variant, options)),
      embedded: options.embedded ?? settings.embedded,
      keepsGamut: settings.values[JobKey.gamut] == .client && variant.form.keepsGamut)
    output.turnsByXMP = variant.form.turnsByXMP ? true : nil
    return output.drawn(by: settings.drawing)
  }

  func encoding(of variant: ChainVariant, _ options: RequestOptions) -> EncodingChoice {
    options.encoding ?? variant.encoding ?? settings.encoding
  }
}

extension EntryStorage {
  /// What animated sources become under a request's own key: it decides the bytes there.
  func identity(of own: KeySuffix) -> String {
    animated.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, other in
      let content = other.entries.first { $0.key == own }?.content
      return " \(kind) \(content?.rawValue ?? "-")"
        + (content == .frames ? RenditionTask.json(other.steps) : "")
    }.joined()
  }
}
