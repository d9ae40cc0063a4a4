import FileStore
import Foundation
import Pictures
import Planning
import Text

/// The real pictures of a report: second names of the cache's files in a folder beside the page, so that the report
/// outlives the cache's next run. Where there are few, the small ones are part of the page too.
struct PictureShelf: Sendable {
  /// A picture that a browser can show.
  package struct Picture: Sendable, Hashable {
    /// A `data:` URL; nil for one that is not part of the page.
    package var url: String?
    /// A name in ``ReportPage/pictures``.
    package var name: String
    package var width: Int
    package var height: Int
    package var bytes: Int

    /// As the page asks for it.
    package var address: String { url ?? "\(ReportPage.pictures)/\(name)" }
  }

  /// Largest file that becomes part of the page, and most bytes of all such files.
  package static let embedded = 24 << 10
  static let allEmbedded = 3 << 20
  /// Enough for the header of most pictures.
  private static let head = 16 << 10
  private static let most = 64 << 20

  /// Where the pictures of this report are put; it is created when there is one.
  let folder: URL
  /// Whether pictures become part of the page as far as they are small.
  let embeds: Bool
  let calls: FileCalls
  var store: FileStore?
  var embeddedBytes = 0
  var embeddedCount = 0
  var besideCount = 0

  /// The picture of a rendition that is in the cache.
  ///
  /// - Parameter id: becomes its name: a file name of the cache may be of any characters.
  mutating func take(_ rendition: RenditionRecord, id: String) throws(FileStoreError) -> Picture? {
    guard rendition.isInCache, !rendition.cache.isEmpty,
      let file = rendition.entryFile, FileStore.isFileName(file), !FileStore.isHidden(file),
      let (header, size) = try Self.header(folder: rendition.cache, name: file)
    else { return nil }
    let format = header.format.rawValue
    let name = "\(id).\(format)"
    var url: String?
    if embeds, size <= Self.embedded, embeddedBytes + size <= Self.allEmbedded,
      let data = try FileStore(existing: URL(fileURLWithPath: rendition.cache)).read(
        file, keepingAccessDate: true)
    {
      embeddedBytes += size
      embeddedCount += 1
      url = "data:image/\(format);base64,\(data.base64EncodedString())"
    } else {
      try writableStore().link("\(rendition.cache)/\(file)", as: name)
      besideCount += 1
    }
    return Picture(url: url, name: name, width: header.width, height: header.height, bytes: size)
  }

  /// Where the pictures are, for the page's end.
  package var sentence: String {
    switch (embeddedCount, besideCount) {
    case (0, 0): "No pictures."
    case (_, 0): "The pictures are part of this page."
    case (0, _): "The pictures lie in \(ReportPage.pictures) beside this page: move them together."
    default:
      "\(NumberText.count(embeddedCount, "picture")) of this page \(embeddedCount == 1 ? "is" : "are") part of it, "
        + "\(NumberText.grouped(besideCount)) lie in \(ReportPage.pictures) beside it: move them together."
    }
  }

  private mutating func writableStore() throws(FileStoreError) -> FileStore {
    if let store { return store }
    let made = try FileStore(folder: folder, calls: calls)
    store = made
    return made
  }

  /// Only plain files that are what our own table of formats says; nothing is decoded, and mostly only the beginning
  /// of a file is read.
  private static func header(
    folder: String, name: String
  ) throws(FileStoreError) -> (header: ImageHeader, size: Int)? {
    guard let status = try CacheFileStatus(folder: folder, name: name), status.size <= Int64(most) else {
      return nil
    }
    let size = Int(status.size)
    // A Nuke cache is swept by the dates of the last reading, and a report must not change them.
    for length in [min(size, head), size] {
      guard
        let bytes = try FileStore(existing: URL(fileURLWithPath: folder)).beginning(of: name, count: length),
        bytes.count == length
      else { return nil }
      guard let header = try? ImageHeader.read(bytes) else { continue }
      return header.format.facts.isShownByBrowsers ? (header, size) : nil
    }
    return nil
  }
}
