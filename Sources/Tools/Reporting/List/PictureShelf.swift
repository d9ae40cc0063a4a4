import FileStore
import Foundation
import Pictures
import Planning
import Text

/// The real pictures of a report: second names of the cache's files in a folder beside the page, so that the report
/// outlives the cache's next run.
struct PictureShelf: Sendable {
  /// A picture that a browser can show.
  package struct Picture: Sendable, Hashable {
    /// A name in ``ReportPage/pictures``.
    package var name: String
    package var width: Int
    package var height: Int
    package var bytes: Int
  }

  /// Enough for the header of most pictures.
  private static let head = 16 << 10
  private static let most = 64 << 20

  /// Where the pictures of this report are put; it is created when there is one.
  let folder: URL
  let calls: FileCalls
  var store: FileStore?

  /// The picture of a rendition that is in the cache.
  ///
  /// - Parameter id: becomes its name: a file name of the cache may be of any characters.
  mutating func take(_ rendition: RenditionRecord, id: String) throws(FileStoreError) -> Picture? {
    guard rendition.isInCache, !rendition.cache.isEmpty,
      let file = rendition.entryFile, FileStore.isFileName(file), !FileStore.isHidden(file),
      let (header, size) = try Self.header(folder: rendition.cache, name: file)
    else { return nil }
    let name = "\(id).\(header.format.rawValue)"
    try writableStore().link("\(rendition.cache)/\(file)", as: name)
    return Picture(name: name, width: header.width, height: header.height, bytes: size)
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
