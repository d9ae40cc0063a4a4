/// What threads have noted since it was last looked at.
struct SignpostInbox: Sendable {
  var notes: [SignpostNote] = []
  var isClosed = false

  mutating func takeAll() -> [SignpostNote] {
    let count = notes.count
    defer {
      notes = []
      notes.reserveCapacity(count)
    }
    return notes
  }
}

/// One thing that happened, as its thread saw it.
enum SignpostNote: Sendable {
  case begin(SignpostSpan)
  case end(UInt64, time: Int64, SignpostMetadata)
  case interval(SignpostSpan)
  case event(SignpostSpan)
}
