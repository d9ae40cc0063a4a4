import ClientKit
import Fetching
import Pictures
import Planning
import Signposts
import Text

/// What is true of a source and its renditions, whatever has been done for them.
extension SourceRun {
  var tasks: [RenditionTask] { needed + unproven.map(\.task) }

  private var job: RunFrame.Job { run.jobs[work.first.plan] }

  var limits: RenderLimits { job.limits }

  /// The folders that a source's jobs may read from, the same for all jobs of a command.
  var roots: TrustedRoots? { job.plan.settings.given.trust.roots }

  var request: HTTPRequest {
    var request = work.request
    let priority = tasks.map(\.options.priority).max() ?? .normal
    request.priority = HTTPRequest.Priority(rawValue: priority.rawValue) ?? .normal
    if tasks.contains(where: reloads) { request.cachePolicy = .reloadIgnoringCache }
    request.maxBodyBytes = limits.maxBytes
    // The cache folder has the same bytes then.
    request.isBodyKeptElsewhere = storesOriginal
    return request
  }

  /// Whether a file of the cache folder has the source's bytes, or will have them.
  var storesOriginal: Bool {
    candidates.contains { $0.task.storesOriginal && reasonNotToStore($0.task.rendition) == nil }
  }

  /// Nothing is fetched for it.
  func isOffline(_ task: RenditionTask) -> Bool { run.options.isOffline || task.options.offline }

  /// It is fetched and made again, whatever is there.
  func reloads(_ task: RenditionTask) -> Bool {
    !isOffline(task) && (run.options.reloads || task.options.reload)
  }

  /// Whether files of an earlier run may do.
  func mayBeCurrent(_ task: RenditionTask) -> Bool {
    reasonNotToStore(task.rendition) == nil && !reloads(task) && !task.options.noDiskRead
  }

  func reasonNotToStore(_ rendition: PlannedRendition) -> String? {
    if rendition.stores.isEmpty { return rendition.note ?? "the policy stores nothing for it" }
    if rendition.stores[0].expiry?.isPast(at: run.options.date.start) == true {
      return "its expiry has passed already"
    }
    return nil
  }

  /// What a body takes of the budget. Files come as fast as they are asked for: without a least room for each of them
  /// hundreds would wait in memory.
  func room(for bytes: Int) -> Int {
    work.scheme == .file ? max(bytes, run.options.maxBytesInFlight / 64) : bytes
  }

  /// The picture as it came, if an earlier run stored it under the client's own key for it.
  func storedOriginal() throws -> Answer? {
    for part in work.parts {
      let job = run.jobs[part.plan]
      let store = services.stores[job.session]
      for row in job.plan.rows(ofSource: part.source) {
        for name in job.plan.originalFiles(at: row) {
          guard let entry = try asking(try store.originalEntry(file: name, sourceID: sourceID)) else {
            continue
          }
          guard let body = try asking(try store.original(entry)) else {
            return .damaged(session: job.session, file: name)
          }
          return .body(body)
        }
      }
    }
    return nil
  }
}

extension SourceRun.Candidate {
  /// The renditions of all plans that the source is part of, in the order of the plans.
  static func all(of work: SourceWork, in run: RunFrame) -> [SourceRun.Candidate] {
    var candidates: [SourceRun.Candidate] = []
    for part in work.parts {
      let job = run.jobs[part.plan]
      for row in job.plan.rows(ofSource: part.source) {
        let task = job.plan.task(at: row, session: job.session, of: (part.plan, run.identities))
        candidates.append(SourceRun.Candidate(task: task, revalidates: job.revalidates))
      }
    }
    shareUrgency(among: &candidates)
    return candidates
  }

  /// An entry that several renditions store is as urgent as the most urgent of them.
  private static func shareUrgency(among candidates: inout [SourceRun.Candidate]) {
    guard candidates.count > 1, Set(candidates.map(\.task.options.priority)).count > 1 else { return }
    var urgency: [ByteText: RequestPriority] = [:]
    for task in candidates.map(\.task) {
      for store in task.rendition.stores {
        let file = ByteText("\(task.session)/\(store.fileName)")
        urgency[file] = max(store.priority, urgency[file] ?? store.priority)
      }
    }
    for index in candidates.indices {
      let session = candidates[index].task.session
      candidates[index].task = candidates[index].task.with { rendition in
        for place in rendition.stores.indices {
          let store = rendition.stores[place]
          rendition.stores[place].priority =
            urgency[ByteText("\(session)/\(store.fileName)")] ?? store.priority
        }
      }
    }
  }
}

extension SourceWork {
  /// The source's members in a recording.
  var signpostMetadata: SignpostMetadata {
    var metadata = scheme.isWeb ? ServerName.metadata(of: url) : [.url: .url(url)]
    metadata[.source] = .integer(number)
    return metadata
  }
}

extension RenditionTask {
  var fileNames: Set<ByteText> { Set(rendition.stores.map { ByteText($0.fileName) }) }

  /// Whether an embedded thumbnail may be all that is needed.
  var mayUseHead: Bool {
    guard !storesOriginal, options.sha256 == nil, let output, output.encoding != .original else {
      return false
    }
    guard let first = output.steps.first?.value, first.isPlaced else { return false }
    return (output.embedded == .client ? first.embedded : output.embedded) != .never
  }
}
