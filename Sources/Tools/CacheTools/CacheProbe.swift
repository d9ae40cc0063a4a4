import Foundation
import Glibc
import NukeCache
import Planning

extension Plan {
  /// Looks all renditions up in a folder as the client's version does.
  package func probes(in folder: String, now: Date = Date()) -> [CacheProbe] {
    rows.map { row in probe(row, in: folder, now: now) }
  }

  private func probe(_ row: Row, in folder: String, now: Date) -> CacheProbe {
    let layout = settings.layout
    let variant = variants[Int(row.variant)]
    let base = baseKey(of: row)
    let hasExpiry = layout.expiry(.none) != nil
    func state(_ suffix: String) -> (name: String, state: CacheProbe.State)? {
      guard let name = layout.fileNames(forKey: base + suffix).first else { return nil }
      return (name, CacheProbe.State(path: folder + "/" + name, expiresBy: hasExpiry ? now : nil))
    }
    let steps = variant.lookups.compactMap { lookup in
      state(lookup.suffix).map {
        CacheProbe.Step(
          key: base + lookup.suffix, fileName: $0.name, part: lookup.part, state: $0.state)
      }
    }
    let other = (layout as? KingfisherLayout)?.otherStyleSuffix(of: chains[variant.chain].chain)
    var (outcome, reason) = layout.finding(
      CacheProbe.Lookup(
        variant: variant, steps: steps, original: state("")?.state,
        otherStyle: other.flatMap { state($0)?.state }))
    if !outcome.isExact {
      let hints = CacheProbeHints(
        settings: settings, chain: chains[variant.chain].chain, variant: variant, baseKey: base,
        folder: folder)
      reason = ([reason] + hints.hints()).joined(separator: "; ")
    }
    return CacheProbe(
      rendition: rendition(at: row), steps: steps, outcome: outcome, reason: reason)
  }
}

extension CacheProbe.State {
  /// As the client's own read sees it: links are followed.
  ///
  /// - Parameter date: where it is given, a modification date that it has reached means an expired file.
  package init(path: String, expiresBy date: Date?) {
    var info = stat()
    guard stat(path, &info) == 0 else {
      self = .absent
      return
    }
    guard info.st_mode & S_IFMT == S_IFREG else {
      self = .unreadable
      return
    }
    let modified = Double(info.st_mtim.tv_sec) + Double(info.st_mtim.tv_nsec) / 1e9
    if let date, modified <= date.timeIntervalSince1970 {
      self = .expired
      return
    }
    self = info.st_size == 0 ? .empty : .present
  }
}
