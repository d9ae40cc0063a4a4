extension PictureStructure {
  /// All chunks inside the length that the file begins with (RFC 9649, sections 2.3 and 2.4).
  static func checkWebP(_ source: HeaderBytes) throws(RenderFailure) {
    var source = source
    source.order = .littleEndian
    let end = 8 + (try source.u32(4))
    var offset = 12
    var hasData = false
    while offset + 8 <= end {
      let (type, size) = (try source.tag(offset), try source.u32(offset + 4))
      guard offset + 8 + size <= end else {
        throw source.damaged("is damaged: its part at byte \(offset) is longer than the file")
      }
      switch type {
      case fourCharacters("VP8 "), fourCharacters("VP8L"), fourCharacters("ANMF"):
        if size > 0 { hasData = true }
      default: break
      }
      offset += 8 + size + (size & 1)
    }
    guard hasData else { throw source.damaged("holds no image data") }
  }
}
