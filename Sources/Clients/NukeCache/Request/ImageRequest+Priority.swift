extension ImageRequest {
  /// Which of the waiting requests goes first.
  public enum Priority: Int, Comparable, CaseIterable, Sendable {
    case veryLow, low, normal, high, veryHigh

    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
  }
}
