import CacheStore
import ClientKit
import ClientRegistry
import FileStore
import Foundation
import JobFile
import Planning
import Text

/// The result of an app's lookup in a cache folder: the keys that it asks for, in order.
package struct CacheProbe: Sendable, Hashable {
  package var rendition: PlannedRendition
  package var steps: [Step]
  package var finding: LookupFinding

  /// One key that the client asks its disk cache for.
  package struct Step: Sendable, Hashable {
    package var key: String
    package var fileName: String
    /// Which part of the chain the key has: `U`, `U+p1`.
    package var part: String
    package var state: EntryState
  }
}

extension Plan {
  /// Looks all renditions up in a folder as the client's release does.
  package func probes(in folder: String, now: Date = Date()) -> [CacheProbe] {
    rows.map { row in
      let variant = variants[Int(row.variant)]
      return ProbedRow(
        plan: self, row: row, client: client(of: row), chain: chains[variant.chain].chain, form: variant.form,
        baseKey: baseKey(of: row), folder: folder, now: now
      ).probe()
    }
  }
}

/// One rendition that is looked up in a folder.
private struct ProbedRow {
  let plan: Plan
  let row: Plan.Row
  let client: any ImageClient
  let chain: Chain
  let form: ChainForm
  let baseKey: String
  let folder: String
  let now: Date

  func probe() -> CacheProbe {
    var steps: [CacheProbe.Step] = []
    var states: [(key: KeySuffix, state: EntryState)] = []
    let options = plan.options[Int(row.options)]
    for lookup in plan.storage(of: row).lookups {
      guard let (name, state) = state(lookup) else { continue }
      steps.append(
        CacheProbe.Step(
          key: client.key(base: baseKey, lookup), fileName: name, part: lookup.part, state: state))
      states.append((lookup, state))
    }
    var finding = client.finding(
      (
        form: form, options: options, steps: states, original: state(.original)?.state,
        hints: form.others.filter { isPresent($0.key) }.values.sorted()
      ))
    // Of a request that looks nothing up no other setting makes a hit.
    if finding.outcome != .exact, !steps.isEmpty {
      finding.reason = ([finding.reason] + hints()).joined(separator: "; ")
    }
    return CacheProbe(rendition: plan.rendition(at: row), steps: steps, finding: finding)
  }

  /// The file that the client reads, and where it finds none the one that it would have read first.
  private func state(_ suffix: KeySuffix) -> (name: String, state: EntryState)? {
    let key = client.key(base: baseKey, suffix)
    let names = client.names(ofKey: key)
    guard let name = names.files.first else { return nil }
    let expires = client.folder.expiry != nil
    func state(of name: String) -> EntryState {
      EntryState(path: folder + "/" + name, expiresBy: expires ? now : nil)
    }
    let first = state(of: name)
    guard first == .absent || first == .unreadable else { return (name, first) }
    for name in names.fallbacks {
      let other = state(of: name)
      if other != .absent, other != .unreadable { return (name, other) }
    }
    return (name, first)
  }

  private func isPresent(_ suffix: KeySuffix) -> Bool {
    client.fileNames(forKey: client.key(base: baseKey, suffix)).contains {
      EntryState(path: folder + "/" + $0, expiresBy: nil) == .present
    }
  }
}

/// Why a lookup misses although the cache was made for this very picture: with other settings.
extension ProbedRow {
  /// Sentences without a full stop, the likeliest reason first.
  private func hints() -> [String] {
    [otherScale(), otherRelease() ?? otherClient()].compactMap { $0 }
  }

  /// Sizes in points are other pixels on another screen.
  private func otherScale() -> String? {
    guard form.dependsOnScale else { return nil }
    let found = [1.0, 2, 3].filter { scale in
      let other = client.form(of: chain, scale: scale).suffix
      return other != form.suffix && isPresent(other)
    }
    guard !found.isEmpty else { return nil }
    let scales = found.map { "\(Int($0))" }.joined(separator: " and ")
    return "the cache has it for screen scale \(scales): add the scale to the job, or use --scale"
  }

  /// Keys and names changed between releases; what an older one made stays until it is removed.
  private func otherRelease() -> String? {
    let identity = plan.settings.client
    guard let library = ClientRegistry.library(named: identity.name) else { return nil }
    let options = plan.options[Int(row.options)]
    let own = client.fileNames(forKey: client.key(base: baseKey, form.suffix)).first
    for release in library.releases where release != identity.release {
      let other = library.make(release, plan.settings.values, options.settings)
      let key = other.key(base: baseKey, other.form(of: chain, scale: form.scale).suffix)
      guard let name = other.fileNames(forKey: key).first, name != own,
        EntryState(path: folder + "/" + name, expiresBy: nil) == .present
      else { continue }
      return "one made for \(other.identity) is, under that version's name: "
        + "make the cache for the version that the app has"
    }
    return nil
  }

  /// Whether the ledger beside the folder names another client.
  private func otherClient() -> String? {
    guard FileManager.default.fileExists(atPath: StateFolder(cache: folder).ledger),
      let made = (try? CacheListing(folder))?.client, made.name != plan.settings.client.name
    else { return nil }
    return "the folder is a cache of \(made)"
  }
}

extension EntryState {
  /// As the client's own read sees it: links are followed.
  ///
  /// - Parameter date: where it is given, a modification date that it has reached means an expired file.
  package init(path: String, expiresBy date: Date?) {
    var info = stat()
    let exists = stat(path, &info) == 0
    let modified = Double(info.st_mtim.tv_sec) + Double(info.st_mtim.tv_nsec) / 1e9
    self =
      if !exists {
        .absent
      } else if info.st_mode & S_IFMT != S_IFREG {
        .unreadable
      } else if let date, modified <= date.timeIntervalSince1970 {
        .expired
      } else {
        info.st_size == 0 ? .empty : .present
      }
  }
}
