import Foundation

@testable import Concurrency

/// Holds threads back until a test lets them go.
final class Gate: Sendable {
  private let condition = NSCondition()
  private let isOpen = Locked(false)

  /// At most forty seconds, so that a failing test ends.
  func wait() {
    condition.lock()
    defer { condition.unlock() }
    let limit = Date(timeIntervalSinceNow: 40)
    while !isOpen.withLock({ $0 }) {
      if !condition.wait(until: limit) { return }
    }
  }

  func open() {
    isOpen.withLock { $0 = true }
    condition.lock()
    condition.broadcast()
    condition.unlock()
  }
}

/// Waits until something holds, for a good while. It is for what another thread is about to do.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<5000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return condition()
}

/// Does something the first time only.
final class Once: Sendable {
  private let isDone = Locked(false)
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  func run() {
    let isFirst = isDone.withLock { done in
      defer { done = true }
      return !done
    }
    if isFirst { action() }
  }
}
