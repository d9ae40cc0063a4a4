import Concurrency
import NukeCache

/// Does equal work once: who asks for what is under way waits for that.
///
/// Work goes on for as long as anybody waits for it, and is cancelled when the last has left. Where only so much goes at
/// once the work of the highest priority begins first. Results are not kept.
final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Work = @Sendable (WorkPriority) async throws -> Value

  struct Entry {
    let number: Int
    let work: Work
    let priority = WorkPriority()
    var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    /// Nil before it has begun.
    var task: Task<Void, Never>?
  }

  struct State {
    var entries: [Key: Entry] = [:]
    var running = 0
    var lastNumber = 0
  }

  private let limit: Int
  let state = Locked(State())

  init(limit: Int = .max) { self.limit = limit }

  /// - Throws: what the work throws; `CancellationError` where the caller's task is cancelled.
  func value(for key: Key, _ priority: WorkPriority, work: @escaping Work) async throws -> Value {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          var entry = state.entries[key] ?? Entry(number: number, work: work)
          entry.waiting[number] = continuation
          entry.priority.add(priority)
          state.entries[key] = entry
          begin(&state)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      leave(key, number, priority)
    }
  }

  private func begin(_ state: inout State) {
    while state.running < limit {
      let next = state.entries.filter { $0.value.task == nil }
        .max { ($0.value.priority.value, $1.value.number) < ($1.value.priority.value, $0.value.number) }
      guard let (key, entry) = next else { return }
      state.running += 1
      state.entries[key]?.task = Task { await self.run(key, entry) }
    }
  }

  private func run(_ key: Key, _ entry: Entry) async {
    let result: Result<Value, any Error>
    do { result = .success(try await entry.work(entry.priority)) } catch { result = .failure(error) }
    let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      state.running -= 1
      defer { begin(&state) }
      // Its last member may have left and another have begun the same work again.
      guard let current = state.entries[key], current.number == entry.number else { return [] }
      state.entries[key] = nil
      return Array(current.waiting.values)
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  private func leave(_ key: Key, _ number: Int, _ priority: WorkPriority) {
    let (continuation, abandoned) = state.withLock { state in
      guard let entry = state.entries[key],
        let continuation = state.entries[key]?.waiting.removeValue(forKey: number)
      else { return (CheckedContinuation<Value, any Error>?.none, Task<Void, Never>?.none) }
      entry.priority.remove(priority)
      guard entry.waiting.count == 1 else { return (continuation, nil) }
      state.entries[key] = nil
      return (continuation, entry.task)
    }
    abandoned?.cancel()
    continuation?.resume(throwing: CancellationError())
  }
}

/// The priority of a piece of work, which may change while the work waits: its own, or the highest of those that wait
/// for it.
final class WorkPriority: Sendable {
  typealias Value = ImageRequest.Priority

  private let state: Locked<(own: Value?, members: [WorkPriority])>

  init(_ own: Value? = nil) { state = Locked((own, [])) }

  var value: Value {
    let (own, members) = state.withLock { $0 }
    return own ?? members.map(\.value).max() ?? .normal
  }

  func set(_ value: Value) { state.withLock { $0.own = value } }
  func add(_ member: WorkPriority) { state.withLock { $0.members.append(member) } }

  func remove(_ member: WorkPriority) {
    state.withLock { state in
      if let index = state.members.firstIndex(where: { $0 === member }) { state.members.remove(at: index) }
    }
  }
}
