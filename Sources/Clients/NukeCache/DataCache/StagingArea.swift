import Foundation

/// Changes that are visible already but not on disk yet. It knows neither the disk nor the time: it answers
/// with what is to be done.
///
/// Changes pass through two places, `staged` (still growing) and `writing` (being performed). Moving a batch
/// from one to the other is a pointer swap, so a caller of `storeData` never waits for a flush.
struct StagingArea: Sendable {
  enum Change: Sendable, Equatable {
    case store(Data)
    case remove
  }

  /// Changes by file name; where `removesAll` is set, everything older is removed before them.
  struct Batch: Sendable, Equatable {
    var removesAll = false
    var changes: [String: Change] = [:]

    var isEmpty: Bool { !removesAll && changes.isEmpty }

    func lookup(_ name: String) -> Change? { changes[name] ?? (removesAll ? .remove : nil) }
  }

  /// When the changes are to be flushed, as far as this call tells anything new.
  enum Action: Equatable {
    case none
    /// After the flush interval.
    case scheduleFlush
    /// Without waiting: so much is staged that memory would grow faster than the disk takes it.
    case flushNow
  }

  let byteLimit: Int
  private var staged = Batch()
  private var writing = Batch()
  private var stagedBytes = 0
  private var isFlushScheduled = false
  private var isFlushUrgent = false

  init(byteLimit: Int = 16 << 20) {
    self.byteLimit = byteLimit
  }

  mutating func stage(_ change: Change, for name: String) -> Action {
    if case .store(let old) = staged.changes.updateValue(change, forKey: name) { stagedBytes -= old.count }
    if case .store(let new) = change { stagedBytes += new.count }
    return actionAfterChange()
  }

  mutating func stageRemovalOfAll() -> Action {
    staged = Batch(removesAll: true)
    stagedBytes = 0
    return actionAfterChange()
  }

  /// The newest change of a name; nil where the disk decides.
  func lookup(_ name: String) -> Change? { staged.lookup(name) ?? writing.lookup(name) }

  /// Takes out everything to be performed now. Only one batch is out at a time.
  mutating func beginFlush() -> Batch {
    writing = staged
    staged = Batch()
    stagedBytes = 0
    isFlushScheduled = false
    isFlushUrgent = false
    return writing
  }

  /// Takes out the change of one name, with a removal of everything that has to go before it.
  mutating func beginFlush(of name: String) -> Batch {
    writing = Batch(removesAll: staged.removesAll)
    writing.changes[name] = staged.changes.removeValue(forKey: name)
    staged.removesAll = false
    if case .store(let data) = writing.changes[name] { stagedBytes -= data.count }
    return writing
  }

  /// The batch is on disk.
  mutating func endFlush() {
    writing = Batch()
  }

  private mutating func actionAfterChange() -> Action {
    if stagedBytes >= byteLimit, !isFlushUrgent {
      isFlushUrgent = true
      isFlushScheduled = true
      return .flushNow
    }
    if isFlushScheduled { return .none }
    isFlushScheduled = true
    return .scheduleFlush
  }
}
