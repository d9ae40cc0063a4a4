import Planning
import Text

/// What one pass over a run's renditions leaves for the page. Its size does not grow with the run.
struct RenditionList: Sendable {
  /// Renditions that are part of the page, and cards that the page shows at once.
  static let perPage = 120
  /// Rows of the tables of large files.
  static let most = 12
  static let mostChains = 200

  package var total = 0
  /// The largest files, and those that are larger than their sources by the most bytes.
  package private(set) var largest: [RenditionCard] = []
  private(set) var excessive: [RenditionCard] = []
  private(set) var excessiveCount = 0
  package private(set) var excess = 0
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
    guard card.status != .failed else { return }
    if card.bytes != nil { Self.keep(card, in: &largest) { $0.bytes ?? 0 } }
    if let more = card.excess {
      excessiveCount += 1
      excess += more
      Self.keep(card, in: &excessive) { $0.excess ?? 0 }
    }
  }

  /// Sorted now and then, so that a list of fifty thousand costs no more than a short one.
  private static func keep(
    _ card: RenditionCard, in list: inout [RenditionCard], by size: (RenditionCard) -> Int
  ) {
    if list.count >= most, let last = list.last, size(card) <= size(last) { return }
    let place = list.firstIndex { size($0) < size(card) } ?? list.endIndex
    list.insert(card, at: place)
    if list.count > most { list.removeLast() }
  }
}
