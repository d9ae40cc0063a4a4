/// Where a body broke off whose server can go on with it (RFC 9110, section 14).
package struct CutBody: Sendable, Hashable {
  /// The place of its first byte in the whole where it is the part that was asked for; nil for the whole's beginning.
  var first: Int?
  /// For `If-Range`.
  var validator: String

  /// Nil where nothing can be gone on with: no bytes, all bytes, no ranges, no validator, a content coding.
  init?(status: Int, count: Int, announcedLength: Int64?, fields: [HTTPHeader]) {
    guard status == 200 || status == 206, count > 0, let announcedLength, count < announcedLength,
      status == 206 || fields.value("Accept-Ranges")?.lowercased() == "bytes",
      fields.areOfPlainBody, let validator = fields.strongValidator
    else { return nil }
    self.validator = validator
    guard status == 206 else { return }
    guard let range = ContentRange(fields.value("Content-Range")) else { return nil }
    first = range.first
  }
}

extension [HTTPHeader] {
  /// The bytes on the wire are those of the file itself. Ranges count the bytes before decoding, so parts of a coded
  /// body cannot be joined; nor can a body of several parts, which has heads among its bytes.
  var areOfPlainBody: Bool {
    !codings.contains(where: ContentDecoder.known.contains)
      && !(value("Content-Type") ?? "").lowercased().hasPrefix("multipart/")
  }

  /// Whether they are a 206's, with the rest of the very body of which `count` bytes are there.
  ///
  /// A server that takes no notice of `If-Range` sends the rest of whatever it has now. So the validator has
  /// to be in the answer, where it must be if it would be in a 200 (section 15.3.7).
  func areOfRest(of validator: String, total: Int?, from count: Int) -> Bool {
    guard let range = ContentRange(value("Content-Range")), range.first == count,
      range.total == nil || total == nil || range.total == total, areOfPlainBody
    else { return false }
    return validator == value(validator.hasPrefix("\"") ? "ETag" : "Last-Modified")
  }

  /// A validator that differs between any two versions (RFC 9110, section 8.8.2.2): a strong tag, or a date that is older than
  /// the answer by more than the clock's step; a minute, as RFC 7232 had it, is safe with clocks that are not in step.
  var strongValidator: String? {
    if let tag = value("ETag"), tag.hasPrefix("\"") { return tag }
    guard let text = value("Last-Modified"), let modified = HTTPDate.seconds(text),
      let date = value("Date").flatMap({ HTTPDate.seconds($0) }), date - modified >= 60
    else { return nil }
    return text
  }
}

/// A piece of a body that is still coming in, with the answer that it belongs to.
package struct HTTPBodyChunk: Sendable {
  package var status: Int
  package var fields: [HTTPHeader]
  var announcedLength: Int64?
  /// Where `bytes` begins in the answer's body. At 0 a new answer begins.
  package var offset: Int
  package var bytes: [UInt8]

  /// How much has to have come before a sink is called. A killed process loses no more than this.
  package static let size = 1 << 20

  /// Called on the loader's own thread, so it has to return soon.
  package typealias Sink = @Sendable (HTTPBodyChunk) -> Void
}
