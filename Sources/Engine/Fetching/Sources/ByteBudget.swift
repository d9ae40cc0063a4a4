import Concurrency

/// Bytes that may be held at once. A caller that wants more waits in a line, so a slow renderer slows the downloads.
package final class ByteBudget: HTTPBodyRoom {
  private struct State {
    package var free: Int
    package var waiters: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let total: Int
  private let state: Locked<State>

  package init(bytes: Int) {
    total = bytes
    state = Locked(State(free: bytes))
  }

  /// Takes `bytes`, waiting until they are free. More than there ever is counts as all of it.
  package func take(_ bytes: Int) async {
    let bytes = min(bytes, total)
    await withCheckedContinuation { continuation in
      let granted = state.withLock { state in
        if state.waiters.isEmpty, state.free >= bytes {
          state.free -= bytes
          return true
        }
        state.waiters.append((bytes, continuation))
        return false
      }
      if granted { continuation.resume() }
    }
  }

  package var held: Int { state.withLock { total - $0.free } }

  /// Corrects an earlier `take(taken)` once the real size is known. Never waits: the bytes are there.
  package func correct(from taken: Int, to bytes: Int) {
    give(min(taken, total) - bytes)
  }

  /// Takes `bytes` if they are free now, before callers that wait: downloads under way should end first.
  package func takeIfFree(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard state.free >= bytes else { return false }
      state.free -= bytes
      return true
    }
  }

  package func takeAnyway(_ bytes: Int) { give(-bytes) }

  /// Gives bytes back (or, when negative, notes that more are held).
  package func give(_ bytes: Int) {
    let granted = state.withLock { state in
      state.free += bytes
      var granted: [CheckedContinuation<Void, Never>] = []
      while let next = state.waiters.first, state.free >= next.bytes {
        state.free -= next.bytes
        granted.append(next.continuation)
        state.waiters.removeFirst()
      }
      return granted
    }
    for continuation in granted { continuation.resume() }
  }
}
