import CExpat

/// An XMP packet on its way through expat (ISO 16684-1, section 7). It is read in one call, since expat 2.5 takes the square
/// of a token's length for one that comes in pieces, and only where it declares no types, and so no entities.
struct XMPPacket {
  /// Larger ones are not read.
  private static let largest = 1 << 20

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let orientation = "http://ns.adobe.com/tiff/1.0/ Orientation"

  private let parser: XML_Parser
  /// The elements around the place that is being read, from the outermost on.
  private var path: [String] = []
  private var text = ""
  /// Those that the main description has, in their order.
  private var told: [String] = []

  /// How a picture is to be turned by `tiff:Orientation` of its packet's main description: 2 to 8. Nil where that says
  /// nothing, or that the picture is upright, and for what is not XML.
  static func orientation(in packet: [UInt8]) -> Int? {
    // Some writers fill up with zeros.
    let bytes = packet.prefix { $0 != 0 }.map { XML_Char(bitPattern: $0) }
    guard (1...largest).contains(bytes.count), let parser = XML_ParserCreateNS(nil, 0x20) else { return nil }
    defer { XML_ParserFree(parser) }
    var read = XMPPacket(parser: parser)
    let isRead = withUnsafeMutablePointer(to: &read) { read in
      XML_SetUserData(parser, read)
      XML_SetElementHandler(
        parser, { XMPPacket.at($0)?.pointee.open($1, $2) }, { read, _ in XMPPacket.at(read)?.pointee.close() }
      )
      XML_SetCharacterDataHandler(parser) { XMPPacket.at($0)?.pointee.add($1, $2) }
      XML_SetStartDoctypeDeclHandler(parser) { packet, _, _, _, _ in
        if let parser = XMPPacket.at(packet)?.pointee.parser { XML_StopParser(parser, 0) }
      }
      // fits: bounded above.
      return XML_Parse(parser, bytes, Int32(bytes.count), 1) == XML_STATUS_OK
    }
    let first = read.told.first.flatMap { Int($0.filter { !$0.isWhitespace }) } ?? 1
    return isRead && (2...8).contains(first) ? first : nil
  }

  private static func at(_ packet: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMPPacket>? {
    packet?.assumingMemoryBound(to: XMPPacket.self)
  }

  /// Those of nested pictures and of ingredients lie deeper.
  private static func isMainDescription(_ path: some BidirectionalCollection<String>) -> Bool {
    path.suffix(2).elementsEqual(["\(rdf) RDF", "\(rdf) Description"])
      && (path.count == 2 || path.count == 3 && path.first == "adobe:ns:meta/ xmpmeta")
  }

  private var isOrientation: Bool { path.last == Self.orientation && Self.isMainDescription(path.dropLast()) }

  private mutating func open(
    _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    path.append(name.map { String(cString: $0) } ?? "")
    text = ""
    guard Self.isMainDescription(path), var next = attributes else { return }
    while let name = next[0], let value = next[1] {
      if String(cString: name) == Self.orientation { told.append(String(cString: value)) }
      next += 2
    }
  }

  private mutating func add(_ characters: UnsafePointer<XML_Char>?, _ count: Int32) {
    guard isOrientation else { return }
    text += String(decoding: UnsafeRawBufferPointer(start: characters, count: Int(count)), as: UTF8.self)
  }

  private mutating func close() {
    if isOrientation { told.append(text) }
    path.removeLast()
  }
}
