import Dispatch
import Foundation

extension RandomAccessCollection where Self: Sendable, Index: Sendable, Element: Sendable {
  /// What `map` gives, made on all cores.
  ///
  /// - Parameter least: so many elements are worth a core of their own.
  package func concurrentMap<Made: Sendable>(
    least: Int = 1, _ transform: @Sendable (Element) -> Made
  ) -> [Made] {
    // A few more parts than cores: no core waits long for the last.
    let parts = Swift.min(ProcessInfo.processInfo.activeProcessorCount * 4, count / Swift.max(1, least))
    if parts < 2 { return map(transform) }
    let size = (count + parts - 1) / parts
    let made = Locked([[Made]](repeating: [], count: parts))
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      let piece = dropFirst(part * size).prefix(size).map(transform)
      made.withLock { $0[part] = piece }
    }
    return made.withLock { $0 }.flatMap { $0 }
  }
}
