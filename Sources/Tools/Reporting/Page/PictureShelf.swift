import FileStore
import Foundation
import Pictures
import Planning
import Text

/// The real pictures of a report: small ones within the page, the others as copies in a folder beside it, so
/// that the report can be moved away from the cache.
struct PictureShelf: Sendable {
  /// A picture that a browser can show.
  package struct Picture: Sendable {
    /// A `data:` URL, or a path relative to the page.
    package var address: String
    package var header: ImageHeader
    package var bytes: Int
  }

  /// Largest file that becomes part of the page, and most bytes of all such files.
  package static let embedded = 24 << 10
  static let allEmbedded = 3 << 20

  private(set) var pictures: [String: Picture] = [:]
  private var embeddedCount = 0
  private var embeddedBytes = 0
  private var copies = 0

  /// Reads the pictures of all renditions that are in the cache.
  init(_ renditions: [RenditionRecord], folder: URL) throws {
    let beside = folder.appendingPathComponent(ReportPage.pictures)
    for rendition in renditions where rendition.status == .made || rendition.status == .current {
      guard let place = Self.place(of: rendition), pictures[place] == nil,
        let (bytes, header) = Self.read(place)
      else { continue }
      var address = ""
      if bytes.count <= Self.embedded, embeddedBytes + bytes.count <= Self.allEmbedded {
        embeddedBytes += bytes.count
        embeddedCount += 1
        address = "data:image/\(header.format.rawValue);base64,\(Data(bytes).base64EncodedString())"
      } else {
        if copies == 0 {
          try FileManager.default.createDirectory(at: beside, withIntermediateDirectories: true)
        }
        copies += 1
        // Numbers, not names: a name may be of any length and of any characters.
        let name = "\(copies).\(header.format.rawValue)"
        try OutputFile.write(Data(bytes), to: beside.appendingPathComponent(name).path)
        address = "\(ReportPage.pictures)/\(name)"
      }
      pictures[place] = Picture(address: address, header: header, bytes: bytes.count)
    }
  }

  package func picture(of rendition: RenditionRecord) -> Picture? {
    Self.place(of: rendition).flatMap { pictures[$0] }
  }

  /// Where the pictures are, for the page's end.
  package var sentence: String {
    switch (embeddedCount, copies) {
    case (0, 0): "No pictures."
    case (_, 0): "The pictures are part of this page."
    default:
      "\(NumberText.count(embeddedCount, "picture")) of this page \(embeddedCount == 1 ? "is" : "are") part of it, "
        + "\(NumberText.grouped(copies)) lie in \(ReportPage.pictures) beside it: move them together."
    }
  }

  private static func place(of rendition: RenditionRecord) -> String? {
    guard let name = rendition.fileName, !name.isEmpty, !name.contains("/"), !name.hasPrefix("."),
      !rendition.cache.isEmpty
    else { return nil }
    return rendition.cache + "/" + name
  }

  /// Only plain files that are what our own table of formats says; nothing is decoded.
  private static func read(_ path: String) -> (bytes: [UInt8], header: ImageHeader)? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? Int, size <= 64 << 20
    else { return nil }
    // A Nuke cache is swept by the dates of the last reading, and a report is none.
    let descriptor = FileStore.openForReading(path, keepingAccessDate: true)
    guard descriptor >= 0,
      let data = try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd()
    else { return nil }
    let bytes = [UInt8](data)
    guard let header = try? ImageHeader.read(bytes), header.format.facts.isShownByBrowsers else { return nil }
    return (bytes, header)
  }
}
