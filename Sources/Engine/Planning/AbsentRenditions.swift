import Pictures
import Text

/// The renditions of a job whose files a cache lacks, by what its last runs said of them.
package struct AbsentRenditions: Sendable {
  /// Those that a run failed at.
  package private(set) var failed: [RenditionRecord] = []
  /// Those that no run has come to, or whose files have gone since.
  package private(set) var unmade: [PlannedRendition] = []

  /// The name of a rendition in a run: several may share an original's file.
  private struct Name: Hashable {
    var file: ByteText
    var chain: ByteText
    var scale: Double?
  }

  /// - Parameters:
  ///   - absent: files that the job may have and the cache has not.
  ///   - outcomes: of runs on the cache, those of the last run first.
  package init(_ absent: Set<ByteText>, of plan: Plan, _ outcomes: [RenditionRecord]) {
    let known = Dictionary(
      outcomes.compactMap { outcome in Self.name(of: outcome).map { ($0, outcome) } }
    ) { last, _ in last }
    for row in plan.rows where plan.possibleFiles(at: row).contains(where: { absent.contains(ByteText($0)) })
    {
      // Sources of other kinds have other files, and one kind has nothing of the others.
      let forms = [nil] + AnimatedKind.allCases.map(Optional.some)
      let renditions = forms.map { plan.rendition(at: row, as: $0) }
      let isWhole = renditions.map { rendition in
        !rendition.stores.contains { absent.contains(ByteText($0.fileName)) }
      }
      if isWhole[0], renditions[0].obstacle == nil { continue }
      let outcome = renditions.lazy.compactMap { rendition in
        let record = RenditionRecord(rendition, .notStored, cache: "")
        return Self.name(of: record).flatMap { known[$0] }
      }.first
      switch outcome?.status {
      case .failed: if let outcome { failed.append(outcome) }
      case .notStored: continue
      case nil, .made, .current:
        if zip(renditions, isWhole).contains(where: { !$0.stores.isEmpty && $1 }) { continue }
        unmade.append(renditions[0])
      }
    }
  }

  private static func name(of outcome: RenditionRecord) -> Name? {
    outcome.entryFile.map {
      Name(
        file: ByteText($0), chain: ByteText(URLRedaction.redacted(outcome.chain)),
        scale: outcome.isScaled == true ? outcome.scale : nil)
    }
  }
}
