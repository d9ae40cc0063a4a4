import CacheStore
import ClientKit
import Fetching
import JobFile
import Planning
import Rendering
import Text

/// Which renditions need the source, and whether its first bytes may suffice.
extension SourceMachine {
  /// With the renditions of all plans that the source is part of, in the order of the plans.
  init(work: SourceWork, run: RunFrame) {
    var candidates: [Candidate] = []
    for part in work.parts {
      let job = run.jobs[part.plan]
      for row in job.plan.rows(ofSource: part.source) {
        let task = job.plan.task(at: row, session: job.session, of: (part.plan, run.identities))
        candidates.append(
          Candidate(
            task: task, impossibility: job.plan.impossibility(of: task.rendition, at: row),
            revalidates: job.revalidates))
      }
    }
    Self.shareUrgency(among: &candidates)
    self.init(work: work, candidates: candidates, run: run)
  }

  /// An entry that several renditions store is as urgent as the most urgent of them.
  private static func shareUrgency(among candidates: inout [Candidate]) {
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

  /// Nothing is fetched for it.
  func isOffline(_ task: RenditionTask) -> Bool { run.options.isOffline || task.options.offline }

  /// It is fetched and made again, whatever is there.
  func reloads(_ task: RenditionTask) -> Bool {
    !isOffline(task) && (run.options.reloads || task.options.reload)
  }

  /// Whether files of an earlier run may do.
  func mayBeCurrent(_ candidate: Candidate) -> Bool {
    candidate.impossibility == nil && mayBeCurrent(candidate.task)
  }

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

  mutating func know(_ asked: [Int], _ files: [[VersionMark]]) -> [Action] {
    for (index, versions) in zip(asked, files) {
      let isIntact = versions.count == candidates[index].task.rendition.stores.count
      let isOneVersion = versions.allSatisfy { $0.hasBytes(of: versions[0]) }
      known[index] = isIntact && isOneVersion ? versions.last : nil
    }
    let isInDoubt = candidates.indices.contains { index in
      known[index] != nil && !isOffline(candidates[index].task)
        && (!isWeb || candidates[index].revalidates)
    }
    guard isInDoubt, work.scheme != .data else { return classify() }
    stage = isWeb ? .lookingUpVersion : .lookingUpLocalFile
    return [isWeb ? .lookUpVersion : .lookUpLocalFile]
  }

  mutating func classify() -> [Action] {
    var settled: [RenditionOutcome] = []
    // Where there is one, another may serve it: not needed for most sources.
    lazy var stored = Set(candidates.flatMap { $0.task.rendition.stores.map { ByteText($0.key) } })
    for (candidate, known) in zip(candidates, known) {
      let task = candidate.task
      if let impossibility = candidate.impossibility {
        settled.append(task.outcome(.failed(impossibility)))
      } else if let reason = reasonNotToStore(task.rendition) {
        let outcome = task.outcome(.notStored(reason: reason))
        // What another rendition of the source stores is there once that one is done.
        let isServed = task.rendition.lookup.map { stored.contains(ByteText($0.key)) } ?? false
        if isServed, outcome.found != .nothing {
          served[task.session, default: []].append(outcome)
        } else {
          settled.append(outcome)
        }
      } else if let known {
        if !(isOffline(task) || isStill(known, for: candidate)) {
          unproven.append((task, known))
        } else if task.storesOriginal {
          assumed.append(task)
        } else {
          settled.append(task.outcome(.current))
        }
      } else {
        needed.append(task)
      }
    }
    return (settled.isEmpty ? [] : [.settle(settled)]) + begin()
  }

  /// Whether the source is certainly the version that something was made from.
  private func isStill(_ known: VersionMark, for candidate: Candidate) -> Bool {
    switch work.scheme {
    // The URL is the picture.
    case .data: true
    case .file: localFile?.map { known.isOf(stamp: $0.stamp) } ?? false
    case .http, .https:
      // Without an HTTP cache what is once stored is never asked for again.
      !candidate.revalidates || version?.map { $0.isFresh && known.isOf(digest: $0.digest) } ?? false
    }
  }

  /// The first step towards the bytes, if any are needed.
  mutating func begin() -> [Action] {
    guard !(needed.isEmpty && unproven.isEmpty) else { return finish() }
    guard mayUseHead else { return reserve() }
    guard let version else {
      stage = .lookingUpVersionForHead
      return [.lookUpVersion]
    }
    // Reading from the HTTP cache costs nothing.
    guard version == nil else { return reserve() }
    held = min(RenderRequest.headBytes, run.options.maxBytesInFlight)
    stage = .reservingHead
    return [.reserve(bytes: held)]
  }

  /// Whether the first bytes of the file may suffice for all that is needed. Only for renditions that are made in any
  /// case: what may still be right is settled by a question about the whole file.
  private var mayUseHead: Bool {
    guard isWeb, unproven.isEmpty else { return false }
    return needed.allSatisfy { $0.mayUseHead && !isOffline($0) && !reloads($0) }
  }
}

extension RenditionTask {
  /// Whether an embedded thumbnail may be all that is needed.
  fileprivate var mayUseHead: Bool {
    guard !storesOriginal, options.sha256 == nil, let output, output.encoding != .original else {
      return false
    }
    guard let first = output.steps.first?.value, first.isPlaced else { return false }
    return (output.embedded == .client ? first.embedded : output.embedded) != .never
  }
}
