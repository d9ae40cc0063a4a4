import FileStore
import Foundation
import Planning
import Text

/// Writes a report in one pass over the renditions.
struct ReportWriter {
  private let record: RunRecord
  private let folder: URL
  private let calls: FileCalls
  private var list = RenditionList()
  private var shelf: PictureShelf
  private var ids: [String: Int] = [:]

  private static let unfinished = ReportPage.pictures + ".unfinished"

  init(_ record: RunRecord, folder: URL, calls: FileCalls) {
    self.record = record
    self.folder = folder
    self.calls = calls
    shelf = PictureShelf(folder: folder.appendingPathComponent(Self.unfinished), calls: calls)
  }

  /// Writes the list, then the page, and puts both in the place of those of the last report.
  consuming func write() throws {
    let top = try FileStore(folder: folder, calls: calls)
    try top.remove(Self.unfinished)
    let renditions = record.renditions
    for rendition in renditions.prefix(RenditionList.perPage) {
      try list.rows.append(row(rendition))
    }
    let rest = renditions.dropFirst(RenditionList.perPage)
    if rest.isEmpty {
      try top.remove(ReportPage.data)
    } else {
      try top.write(ReportPage.data) { append in
        var text = Data("preheatRows([".utf8)
        for rendition in rest {
          let row = try row(rendition)
          text += Data(MarkupText.script(row) + ",\n".utf8)
          guard text.count >= 1 << 20 else { continue }
          try append(text)
          text.removeAll(keepingCapacity: true)
        }
        try append(text + Data("]);\n".utf8))
      }
    }
    let page = ReportPage(record: record, list: list, hasPictures: shelf.store != nil)
    try top.remove(ReportPage.pictures)
    if FileManager.default.fileExists(atPath: shelf.folder.path) {
      let place = top.path(of: ReportPage.pictures)
      try calls.check(.rename, "put in place", place) { rename(shelf.folder.path, place) }
    }
    try top.write(Data(page.html.utf8), as: ReportPage.file)
  }

  private mutating func row(_ rendition: RenditionRecord) throws -> [JSONCell] {
    let id = unusedID(rendition.digest)
    let card = RenditionCard(rendition, id: id, picture: try shelf.take(rendition, id: id))
    list.add(card)
    return card.dataRow
  }

  /// Two entries of one key differ by their order, which is that of the job.
  private mutating func unusedID(_ digest: String) -> String {
    ids[digest, default: 0] += 1
    return ids[digest].map { $0 > 1 ? "\(digest)-\($0)" : digest } ?? digest
  }
}

/// What one pass over a run's renditions leaves for the page. Its size does not grow with the run.
struct RenditionList: Sendable {
  /// Renditions that are part of the page, and cards that the page shows at once.
  static let perPage = 120
  static let mostChains = 200

  package var total = 0
  /// Whether any is larger than its source.
  private(set) var hasExcess = false
  package private(set) var chains: [String] = []
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
