import Concurrency
import FileStore
import Foundation

/// A disk whose calls are counted, and of which the Nth fails.
package final class FileFaults: Sendable {
  /// Whether it is better after the call that failed.
  package enum Extent: CaseIterable, Sendable {
    /// That call alone.
    case once
    /// All that follow too: a disk that stays full, or a process that has come to its end.
    case lasting
  }

  private struct State {
    var log: [(call: FileCalls.Call, path: String)] = []
    var failed: FileCalls.Call?
  }

  private let state = Locked(State())
  private let number: Int?
  private let code: Int32
  private let extent: Extent
  private let isAtLooks: Bool

  /// - Parameters:
  ///   - number: Counted from 0; nil to let all calls succeed.
  ///   - code: The `errno` of the failure.
  ///   - isAtLooks: Only calls that look and read are counted and fail; otherwise only the others.
  package init(
    failing number: Int? = nil, with code: Int32 = 0, _ extent: Extent = .once,
    atLooks isAtLooks: Bool = false
  ) {
    self.isAtLooks = isAtLooks
    self.number = number
    self.code = code
    self.extent = extent
  }

  package var calls: FileCalls {
    FileCalls { [self] call, path in
      let isLook = isAtLooks ? [.look, .read, .list].contains(call) : ![.look, .read].contains(call)
      guard isLook else { return isAtLooks && call == .synchronize ? .pretend : .perform }
      return state.withLock { state in
        let index = state.log.count
        state.log.append((call, path))
        guard let number, extent == .once ? index == number : index >= number else {
          // What it waits for is of no interest, and takes longer than all the rest.
          return [.synchronize, .synchronizeFile].contains(call) ? .pretend : .perform
        }
        state.failed = state.failed ?? call
        return .fail(code)
      }
    }
  }

  /// What was called.
  package var log: [FileCalls.Call] { state.withLock { $0.log.map(\.call) } }
  /// The first call that failed.
  package var failed: FileCalls.Call? { state.withLock { $0.failed } }
}
