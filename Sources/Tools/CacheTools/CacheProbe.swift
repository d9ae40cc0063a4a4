import ClientKit
import ClientRegistry
import FileStore
import Foundation
import Planning

/// The result of an app's lookup in a cache folder: the keys that it asks for, in order.
package struct CacheProbe: Sendable {
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
  package func probes(in folder: String, now: Date = Date()) throws -> [CacheProbe] {
    try rows.map { row in
      let variant = variants[Int(row.variant)]
      return try ProbedRow(
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

  func probe() throws -> CacheProbe {
    var steps: [CacheProbe.Step] = []
    var states: [(key: KeySuffix, state: EntryState)] = []
    let options = plan.options[Int(row.options)]
    for lookup in plan.storage(of: row).lookups {
      guard let (name, state) = try state(lookup) else { continue }
      steps.append(
        CacheProbe.Step(
          key: client.key(base: baseKey, lookup), fileName: name, part: lookup.part, state: state))
      states.append((lookup, state))
    }
    var found: [String] = []
    for (suffix, hint) in form.others where try isPresent(suffix) { found.append(hint) }
    var finding = client.finding(
      (
        form: form, options: options, steps: states, original: try state(.original)?.state,
        hints: found.sorted()
      ))
    // Of a request that looks nothing up no other setting makes a hit.
    if finding.outcome != .exact, !steps.isEmpty {
      let hints = [finding.reason, try otherScale(), try otherRelease()]
      finding.reason = hints.compactMap { $0 }.joined(separator: "; ")
    }
    return CacheProbe(rendition: plan.rendition(at: row), steps: steps, finding: finding)
  }

  /// The file that the client reads, and where it finds none the one that it would have read first.
  private func state(_ suffix: KeySuffix) throws -> (name: String, state: EntryState)? {
    let key = client.key(base: baseKey, suffix)
    let names = client.names(ofKey: key)
    guard let name = names.files.first else { return nil }
    let expires = client.folder.expiry != nil
    func state(of name: String) throws -> EntryState {
      try EntryState(path: folder + "/" + name, expiresBy: expires ? now : nil)
    }
    let first = try state(of: name)
    guard first == .absent || first == .unreadable else { return (name, first) }
    for name in names.fallbacks {
      let other = try state(of: name)
      if other != .absent, other != .unreadable { return (name, other) }
    }
    return (name, first)
  }

  private func isPresent(_ suffix: KeySuffix) throws -> Bool {
    for name in client.fileNames(forKey: client.key(base: baseKey, suffix))
    where try EntryState(path: folder + "/" + name, expiresBy: nil) == .present {
      return true
    }
    return false
  }
}

/// Why a lookup misses although the cache was made for this very picture: with other settings.
extension ProbedRow {
  /// Sizes in points are other pixels on another screen.
  private func otherScale() throws -> String? {
    guard form.dependsOnScale else { return nil }
    var found: [Double] = []
    for scale in [1.0, 2, 3] {
      let other = client.form(of: chain, scale: scale).suffix
      if other != form.suffix, try isPresent(other) { found.append(scale) }
    }
    guard !found.isEmpty else { return nil }
    let scales = found.map { "\(Int($0))" }.joined(separator: " and ")
    return "the cache has it for screen scale \(scales): add the scale to the job, or use --scale"
  }

  /// Keys and names changed between releases; what an older one made stays until it is removed.
  private func otherRelease() throws -> String? {
    let identity = plan.settings.client
    guard let library = ClientRegistry.library(named: identity.name) else { return nil }
    let options = plan.options[Int(row.options)]
    let own = client.fileNames(forKey: client.key(base: baseKey, form.suffix)).first
    for release in library.releases where release != identity.release {
      let other = library.make(release, plan.settings.values, options.settings)
      let key = other.key(base: baseKey, other.form(of: chain, scale: form.scale).suffix)
      guard let name = other.fileNames(forKey: key).first, name != own,
        try EntryState(path: folder + "/" + name, expiresBy: nil) == .present
      else { continue }
      return "one made for \(other.identity) is, under that version's name: "
        + "make the cache for the version that the app has"
    }
    return nil
  }
}

extension EntryState {
  /// As the client's own read sees it: links are followed.
  ///
  /// - Parameter date: where it is given, a modification date that it has reached means an expired file.
  package init(path: String, expiresBy date: Date?) throws(FileStoreError) {
    guard let info = try FileCalls.system.status(of: path, followsLinks: true) else {
      self = .absent
      return
    }
    let modified = Double(info.st_mtim.tv_sec) + Double(info.st_mtim.tv_nsec) / 1e9
    self =
      if info.st_mode & S_IFMT != S_IFREG {
        .unreadable
      } else if let date, modified <= date.timeIntervalSince1970 {
        .expired
      } else {
        info.st_size == 0 ? .empty : .present
      }
  }
}
