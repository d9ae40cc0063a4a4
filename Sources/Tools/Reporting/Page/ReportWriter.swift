import FileStore
import Foundation
import Planning
import Text

/// Writes a report in one pass over the renditions, file by file: no text of the list is longer than one of its files.
struct ReportWriter {
  private let record: RunRecord
  private let folder: URL
  private let calls: FileCalls
  private var comparison: RunComparison?
  private var list = RenditionList()
  private var shelf: PictureShelf
  private var ids: Set<String> = []
  private var rows: [[JSONCell]] = []
  /// Created with its first file.
  private let data: FileStore

  private static let unfinished = ".unfinished"

  init(_ record: RunRecord, comparedWith comparison: RunComparison?, folder: URL, calls: FileCalls) {
    self.record = record
    self.comparison = comparison
    self.folder = folder
    self.calls = calls
    data = FileStore(
      existing: folder.appendingPathComponent(ReportPage.data + Self.unfinished), calls: calls)
    shelf = PictureShelf(
      folder: folder.appendingPathComponent(ReportPage.pictures + Self.unfinished),
      earlier: folder.appendingPathComponent(ReportPage.pictures),
      embeds: record.renditions.count <= RenditionList.perPage, calls: calls)
  }

  /// Writes the list, then the page, and puts both in the place of those of the last report.
  consuming func write() throws {
    let top = try FileStore(folder: folder, calls: calls)
    for name in [ReportPage.pictures, ReportPage.data] { try top.remove(name + Self.unfinished) }
    let clients = record.caches.map(\.client).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let places = Dictionary(
      record.caches.map { (ByteText($0.path), clients.firstIndex(of: $0.client) ?? 0) },
      uniquingKeysWith: { first, _ in first })
    list.clients = clients.map { SafeText.escape(ReportText.shortened($0)) }
    list.previous = comparison?.previous
    for rendition in record.renditions { try add(rendition, client: places[ByteText(rendition.cache)] ?? 0) }
    try close()
    let page = ReportPage(record: record, list: list, shelf: shelf)
    for name in [ReportPage.pictures, ReportPage.data] {
      try top.remove(name)
      let made = top.path(of: name + Self.unfinished)
      if FileManager.default.fileExists(atPath: made) {
        try calls.check(.rename, "put in place", top.path(of: name)) { rename(made, top.path(of: name)) }
      }
    }
    try top.write(Data(page.html.utf8), as: ReportPage.file)
  }

  private mutating func add(_ rendition: RenditionRecord, client: Int) throws {
    let id = unusedID(rendition.digest)
    var card = RenditionCard(rendition, id: id, client: client, picture: try shelf.take(rendition, id: id))
    try compare(rendition, &card)
    list.add(card)
    if list.rows.count < RenditionList.perPage { return list.rows.append(card.dataRow) }
    rows.append(card.dataRow)
    if rows.count == RenditionList.perChunk { try writeChunk() }
  }

  /// Two entries of one key differ by their order, which is that of the job.
  private mutating func unusedID(_ digest: String) -> String {
    var id = digest
    var number = 2
    while !ids.insert(id).inserted {
      id = "\(digest)-\(number)"
      number += 1
    }
    return id
  }

  private mutating func compare(_ rendition: RenditionRecord, _ card: inout RenditionCard) throws {
    guard comparison?.covers(rendition.cache) == true else { return }
    let before = comparison?.take(rendition)
    guard rendition.isInCache else { return }
    guard let before else {
      card.change = .new
      return
    }
    guard rendition.status == .made else { return }
    let isOtherSize = before.size.map { $0 != card.bytes } ?? false
    let picture =
      list.pairs.count < RenditionList.mostPairs ? try shelf.takeEarlier(rendition, id: card.id) : nil
    card.change = isOtherSize || picture != nil ? .changed : .again
    if card.change == .changed, list.pairs.count < RenditionList.mostPairs {
      list.pairs.append(RenditionList.Pair(card: card, picture: picture, size: picture?.bytes ?? before.size))
    }
  }

  private mutating func close() throws {
    if !rows.isEmpty { try writeChunk() }
    guard let comparison else { return }
    let rest = comparison.rest
    list.gone = Array(rest.prefix(RenditionList.mostGone))
    list.goneCount = rest.count
  }

  private mutating func writeChunk() throws {
    list.chunks += 1
    let text = Data("preheatRows(\(list.chunks),".utf8) + MarkupText.script(rows) + Data(");\n".utf8)
    try data.write(text, as: "\(list.chunks).js")
    rows.removeAll(keepingCapacity: true)
  }
}
