/// EXIF blocks made by hand.
enum Exif {
  /// Big-endian TIFF: an orientation, a text that must not leak, and perhaps a thumbnail in IFD1.
  static func block(orientation: Int = 1, text: String = "Secret Place", thumbnail: [UInt8] = []) -> [UInt8] {
    let words = Array(text.utf8) + [0]
    let firstSize = 2 + 2 * 12 + 4
    let textAt = 8 + firstSize
    let secondAt = textAt + words.count
    let thumbnailAt = secondAt + 2 + 3 * 12 + 4
    var bytes: [UInt8] = [0x4D, 0x4D, 0, 42] + bigEndian(8)
    bytes += [0, 2] + entry(0x010E, type: 2, count: words.count, value: textAt)
    bytes += entry(0x0112, type: 3, count: 1, value: orientation << 16)
    bytes += bigEndian(thumbnail.isEmpty ? 0 : secondAt) + words
    if thumbnail.isEmpty { return bytes }
    bytes += [0, 3] + entry(0x0103, type: 3, count: 1, value: 6 << 16)
    bytes += entry(0x0201, type: 4, count: 1, value: thumbnailAt)
    bytes += entry(0x0202, type: 4, count: 1, value: thumbnail.count)
    return bytes + bigEndian(0) + thumbnail
  }

  /// A JPEG with the block behind its first marker.
  static func insert(_ block: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
    insert(0xE1, Array("Exif".utf8) + [0, 0] + block, into: jpeg)
  }

  /// A JPEG with a packet of XMP behind its first marker.
  static func insertXMP(_ packet: String, into jpeg: [UInt8]) -> [UInt8] {
    insert(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8), into: jpeg)
  }

  /// A packet as most programs write it.
  static func xmp(_ attributes: String = "", _ children: String = "") -> String {
    """
    <?xpacket begin='\u{FEFF}' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>
    <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about=''
    xmlns:t='http://ns.adobe.com/tiff/1.0/' xmlns:tiff='http://ns.adobe.com/tiff/1.0/' \(attributes)>
    \(children)</rdf:Description></rdf:RDF></x:xmpmeta>  <?xpacket end='w'?>
    """
  }

  /// A JPEG with a segment behind its first marker.
  static func insert(_ marker: UInt8, _ body: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
    let length = body.count + 2
    return Array(jpeg.prefix(2)) + [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body
      + jpeg.dropFirst(2)
  }

  private static func entry(_ tag: Int, type: Int, count: Int, value: Int) -> [UInt8] {
    [UInt8(tag >> 8), UInt8(tag & 255), 0, UInt8(type)] + bigEndian(count) + bigEndian(value)
  }
}
