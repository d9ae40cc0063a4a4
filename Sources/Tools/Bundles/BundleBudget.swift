import CacheStore
import Text

/// Leaves entries out of a bundle until the rest has room.
struct BundleBudget {
  typealias Candidate = BundleCandidates.Candidate

  /// Most bytes of files in the bundle.
  let bytes: Int
  /// Nil where too many entries are an error.
  let drop: BundleOptions.Drop?

  /// Entries that stay or go together.
  private struct Group {
    var rank: Int
    var place: Int
    /// Decides among equals: an id or a name is a digest, and so the same everywhere.
    var name: ByteText
    /// Positions of its entries.
    var members: [Int]
    /// Of those files that are in this bundle; of a delta others are in its index.
    var size: Int
  }

  func apply(to entries: inout [Candidate], _ report: inout BundleReport) throws(ToolError) {
    var total = entries.reduce(0) { $0 + ($1.entry.isIncluded ? $1.entry.size : 0) }
    guard total > bytes else { return }
    guard let drop else {
      throw ToolError(
        .bundle(.limit),
        "the entries have \(ByteCountText.text(total)), \(ByteCountText.text(total - bytes)) more than --max-size "
          + ByteCountText.text(bytes),
        advice: "add --drop to leave the least urgent sources out")
    }
    var gone: Set<Int> = []
    for group in groups(of: entries, drop) where group.size > 0 {
      if total <= bytes { break }
      total -= group.size
      gone.formUnion(group.members)
      report.dropped += group.members.map { entries[$0].entry.file }
    }
    report.droppedBytes = gone.reduce(0) { $0 + entries[$1].entry.size }
    report.droppedSources = Set(gone.map { ByteText(entries[$0].source) }).count
    report.wholeSources = Self.wholeSources(of: entries, without: gone)
    entries = entries.indices.filter { !gone.contains($0) }.map { entries[$0] }
    if entries.isEmpty {
      throw ToolError(.bundle(.limit), "no source has room in --max-size \(ByteCountText.text(bytes))")
    }
  }

  /// The least urgent first.
  private func groups(of entries: [Candidate], _ drop: BundleOptions.Drop) -> [Group] {
    let together = Dictionary(grouping: entries.indices) { position in
      ByteText(drop == .sources ? entries[position].source : entries[position].entry.file)
    }
    return together.map { name, members in
      Group(
        rank: members.map { entries[$0].priority }.max() ?? 0,
        place: members.compactMap { entries[$0].planned?.place }.min() ?? .max, name: name,
        members: members,
        size: members.reduce(0) { $0 + (entries[$1].entry.isIncluded ? entries[$1].entry.size : 0) })
    }.sorted { ($0.rank, $1.place, $1.name) < ($1.rank, $0.place, $0.name) }
  }

  /// How many sources are whole on the screens of each scale.
  private static func wholeSources(of entries: [Candidate], without gone: Set<Int>) -> [WholeSources] {
    let known = Set(entries.compactMap { $0.planned?.scale }).sorted()
    let scales: [Double?] = known.isEmpty ? [nil] : known.map(Optional.some)
    return scales.map { scale in
      var sources: Set<ByteText> = []
      var broken: Set<ByteText> = []
      for (position, entry) in entries.enumerated()
      where scale == nil || entry.planned?.scale == nil || entry.planned?.scale == scale {
        sources.insert(ByteText(entry.source))
        if gone.contains(position) { broken.insert(ByteText(entry.source)) }
      }
      return WholeSources(scale: scale, whole: sources.count - broken.count, sources: sources.count)
    }
  }
}
