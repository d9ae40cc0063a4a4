import Planning
import Text

/// What one pass over a run's renditions leaves for the page. Its size does not grow with the run.
struct RenditionList: Sendable {
  /// Renditions that are part of the page, and cards that the page shows at once.
  static let perPage = 120
  static let mostChains = 200

  package var total = 0
  /// Whether any is larger than its source.
  private(set) var hasExcess = false
  package private(set) var chains: [String] = []
  package var clients: [String] = []
  /// Data of the renditions that are part of the page.
  package var rows: [[JSONCell]] = []
  private var knownChains: Set<ByteText> = []

  package mutating func add(_ card: RenditionCard) {
    total += 1
    if knownChains.count < Self.mostChains, knownChains.insert(ByteText(card.chain)).inserted {
      chains.append(card.chain)
    }
    if card.status != .failed, card.gain?.isMore == true { hasExcess = true }
  }
}
