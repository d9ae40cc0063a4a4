import Concurrency
import Fetching
import NukeCache
import Scheduling

/// Does equal work once: who asks for what is under way waits for that.
///
/// Work goes on for as long as anybody waits for it, with the highest of their priorities, and is cancelled
/// when the last has left. Results are not kept.
final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Work = @Sendable (WorkContext) async throws -> Value

  struct Member {
    var priority: ImageRequest.Priority
    var report: HTTPProgress.Handler
    var continuation: CheckedContinuation<Value, any Error>
  }

  struct Entry {
    var members: [Int: Member] = [:]
    var task: Task<Void, Never>?
    let priority = WorkPriority()

    var highestPriority: ImageRequest.Priority { members.values.map(\.priority).max() ?? .normal }
  }

  /// Work that is not to be shared has a number instead of the key.
  enum Name: Hashable {
    case shared(Key)
    case alone(Int)
  }

  struct State {
    var entries: [Name: Entry] = [:]
    /// Numbers members and entries, and orders changes of priority.
    var lastNumber = 0

    mutating func number() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  let state = Locked(State())

  /// - Parameter isShared: false does the work for this caller alone.
  /// - Throws: what the work throws; `CancellationError` where the caller's task is cancelled.
  func value(
    for key: Key, isShared: Bool = true, _ context: WorkContext, work: @escaping Work
  ) async throws -> Value {
    let number = state.withLock { $0.number() }
    let name: Name = isShared ? .shared(key) : .alone(number)
    let priority = context.priority
    let observer = priority.observe { [weak self, weak priority] in
      guard let self, let priority else { return }
      change(name) { $0.members[number]?.priority = priority.value }
    }
    defer { priority.removeObserver(observer) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let member = Member(priority: priority.value, report: context.report, continuation: continuation)
        if !join(name, member, number: number, work) { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      leave(name, number: number)
    }
  }

  /// False where the caller is cancelled already.
  private func join(_ name: Name, _ member: Member, number: Int, _ work: @escaping Work) -> Bool {
    let isCancelled = state.withLock { state in
      if Task.isCancelled { return true }
      var entry = state.entries[name] ?? Entry()
      entry.members[number] = member
      if entry.task == nil {
        let context = WorkContext(priority: entry.priority) { [weak self] in self?.report($0, name) }
        entry.task = Task { await self.run(name, context, work) }
      }
      state.entries[name] = entry
      return false
    }
    if !isCancelled { change(name) { _ in } }
    return !isCancelled
  }

  private func run(_ name: Name, _ context: WorkContext, _ work: Work) async {
    let result: Result<Value, any Error>
    do { result = .success(try await work(context)) } catch { result = .failure(error) }
    let members = state.withLock { state -> [Member] in
      // Its last member may have left and another have begun the same work again.
      guard let entry = state.entries[name], entry.priority === context.priority else { return [] }
      state.entries[name] = nil
      return Array(entry.members.values)
    }
    for member in members { member.continuation.resume(with: result) }
  }

  private func leave(_ name: Name, number: Int) {
    let (member, abandoned) = state.withLock { state in
      let member = state.entries[name]?.members.removeValue(forKey: number)
      guard member != nil, state.entries[name]?.members.isEmpty == true else {
        return (member, Task<Void, Never>?.none)
      }
      return (member, state.entries.removeValue(forKey: name)?.task)
    }
    abandoned?.cancel()
    if member != nil { change(name) { _ in } }
    member?.continuation.resume(throwing: CancellationError())
  }

  /// Changes an entry's members and sees to its priority. What observes it may come back here, so the lock
  /// is not held then.
  private func change(_ name: Name, _ change: (inout Entry) -> Void) {
    let changed = state.withLock { state -> (WorkPriority, ImageRequest.Priority, Int)? in
      guard var entry = state.entries[name] else { return nil }
      change(&entry)
      state.entries[name] = entry
      return (entry.priority, entry.highestPriority, state.number())
    }
    if let (priority, value, version) = changed { priority.set(value, version: version) }
  }

  private func report(_ progress: HTTPProgress, _ name: Name) {
    let members = state.withLock { $0.entries[name].map { Array($0.members.values) } ?? [] }
    for member in members { member.report(progress) }
  }
}

/// The priority of a piece of work, which may change while the work waits.
final class WorkPriority: Sendable {
  typealias Value = ImageRequest.Priority

  private struct State {
    var value: Value
    var version = 0
    var lastObserver = 0
    var observers: [Int: @Sendable () -> Void] = [:]
  }

  private let state: Locked<State>

  init(_ value: Value = .normal) { state = Locked(State(value: value)) }

  var value: Value { state.withLock { $0.value } }

  /// As a queue has it.
  package var queued: QueuePriority { QueuePriority(rawValue: value.rawValue) ?? .normal }

  /// - Parameter version: where several threads set it, an older value never replaces a newer one.
  func set(_ value: Value, version: Int? = nil) {
    let observers = state.withLock { state in
      if let version {
        guard version > state.version else { return [@Sendable () -> Void]() }
        state.version = version
      }
      guard state.value != value else { return [] }
      state.value = value
      return Array(state.observers.values)
    }
    // Without the lock, for they ask for the value; the last to be called sees the newest.
    for observer in observers { observer() }
  }

  /// - Parameter change: asks for the new value itself.
  func observe(_ change: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = change
      return state.lastObserver
    }
  }

  func removeObserver(_ id: Int) {
    state.withLock { _ = $0.observers.removeValue(forKey: id) }
  }
}

/// What goes with a piece of work: how urgent it is, and who wants to know how far it is.
struct WorkContext: Sendable {
  var priority: WorkPriority
  var report: HTTPProgress.Handler
}
