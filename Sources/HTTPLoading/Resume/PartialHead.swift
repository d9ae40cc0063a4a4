/// What has to be known of the beginning of a body to go on with it, and how it lies on disk: a line each.
struct PartialHead: Sendable, Hashable {
  /// A strong `ETag`, or a `Last-Modified` that is as good as one.
  var validator: String
  /// Bytes of the whole.
  var total: Int
  /// Of the start of the machine at which it was written. After another one the end of the file may never
  /// have reached the device.
  var boot: String

  private static let title = "preheat partial 1"

  init(validator: String, total: Int, boot: String) {
    self.validator = validator
    self.total = total
    self.boot = boot
  }

  /// Nil where an answer cannot be gone on with for certain: no ranges, no length, no strong validator.
  init?(_ chunk: HTTPBodyChunk, boot: String) {
    guard chunk.status == 200, let length = chunk.announcedLength, length > 0,
      chunk.fields.value("Accept-Ranges")?.lowercased() == "bytes",
      chunk.fields.value("Content-Encoding").map({ $0.lowercased() == "identity" }) ?? true,
      let validator = Self.strongValidator(in: chunk.fields)
    else { return nil }
    self.init(validator: validator, total: Int(length), boot: boot)
  }

  /// RFC 9110, section 8.8.2.2: a date is strong if it is older than the answer by more than the clock's
  /// step; a minute, as RFC 7232 had it, is safe with clocks that are not in step.
  private static func strongValidator(in fields: [HTTPHeader]) -> String? {
    if let tag = fields.value("ETag"), tag.hasPrefix("\"") { return tag }
    guard let text = fields.value("Last-Modified"), let modified = HTTPDate.seconds(text),
      let date = fields.value("Date").flatMap({ HTTPDate.seconds($0) }), date - modified >= 60
    else { return nil }
    return text
  }

  init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 5, lines[0] == Self.title, let total = Int(lines[2]), total > 0, lines[4].isEmpty
    else { return nil }
    self.init(validator: lines[1], total: total, boot: lines[3])
  }

  var text: String { "\(Self.title)\n\(validator)\n\(total)\n\(boot)\n" }
}
