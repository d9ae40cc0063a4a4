import FileStore
import Foundation

/// Work that ends at each of its file-system calls in turn, as that of a process that is killed there.
package enum KilledWork {
  /// Does the work on a new scene for every call that it makes. From that call on none is made any more, and what the
  /// work throws then is heard by nobody.
  ///
  /// - Parameters:
  ///   - make: a new scene.
  ///   - work: has to do all that it does to files by the calls that it gets.
  ///   - check: looks at what is left, as another process that comes next.
  /// - Returns: The calls of the whole work: as many as it was killed at.
  @discardableResult
  package static func atEachCall<Scene>(
    of make: () throws -> Scene, _ work: (Scene, FileCalls) async throws -> Void,
    then check: (Scene, _ moment: String) async throws -> Void
  ) async throws -> [FileCalls.Call] {
    var number = 0
    while true {
      let scene = try make()
      let faults = FileFaults(failing: number, with: EIO, .lasting)
      let result: Result<Void, any Error>
      do { result = .success(try await work(scene, faults.calls)) } catch { result = .failure(error) }
      guard let call = faults.failed else {
        // It came to its end.
        try result.get()
        try await check(scene, "whole")
        return faults.log
      }
      try await check(scene, "killed at call \(number), \(call)")
      number += 1
    }
  }
}
