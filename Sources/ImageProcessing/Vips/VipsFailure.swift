import CVips

/// What libvips said when it refused. Its text is shared by the whole process, so it is only detail
/// for people; what it means is decided by who called.
struct VipsFailure: Error, Hashable, Sendable {
  var isMemory: Bool
  /// One line, bounded.
  var detail: String

  private static let longestDetail = 200

  init(isMemory: Bool, detail: String) {
    self.isMemory = isMemory
    self.detail = detail
  }

  /// Empties libvips' error buffer.
  init(status: Int32) {
    isMemory = status == PV_NO_MEMORY.rawValue
    detail = VipsFailure.takeDetail() ?? "no reason given"
  }

  private static func takeDetail() -> String? {
    guard let text = pv_take_error() else { return nil }
    defer { pv_free(text) }
    let lines = String(cString: text).split(whereSeparator: \.isNewline)
    let line = lines.map { $0.filter { $0.isASCII && !$0.isNewline } }.joined(separator: "; ")
    return String(line.prefix(longestDetail))
  }
}
