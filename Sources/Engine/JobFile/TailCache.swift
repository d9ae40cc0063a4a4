import ClientKit

/// What stands behind the sources of a job is nearly always one of a few texts: each is parsed once.
struct TailCache {
  struct Tail {
    /// Rows of the job's ``ChainTable``.
    package var chains: [Int]
    package var options: RequestOptions
  }

  /// With an `id=` in every line there is nothing to gain, and memory must not grow with the job.
  private static let most = 4096

  private var lastText: [UInt8] = []
  private var lastTail: Tail?
  private var byText: [String: Tail] = [:]

  subscript(text: ArraySlice<UInt8>) -> Tail? {
    mutating get {
      if let lastTail, lastText[...] == text { return lastTail }
      guard let tail = byText[String(decoding: text, as: UTF8.self)] else { return nil }
      lastText = Array(text)
      lastTail = tail
      return tail
    }
    set {
      guard byText.count < Self.most, text.count < 4096 else { return }
      byText[String(decoding: text, as: UTF8.self)] = newValue
    }
  }
}
