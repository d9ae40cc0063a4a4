import Foundation

/// Does pieces of work on all cores and hands the results out in the order of the pieces.
package enum OrderedWork {
  /// - Parameters:
  ///   - width: pieces that are worked on at a time. Results that wait for an earlier one are as many at most.
  ///   - make: works on a piece, on any thread.
  ///   - use: takes the results one after the other; false ends the work.
  package static func forEach<Piece: Sendable, Result: Sendable>(
    _ pieces: some Sequence<Piece>, width: Int = ProcessInfo.processInfo.activeProcessorCount,
    make: @escaping @Sendable (Piece) -> Result, use: (Result) throws -> Bool
  ) async throws {
    var rest = pieces.makeIterator()
    // Of the results that are ready, those that come after the one that is waited for.
    var waiting: [Int: Result] = [:]
    var (begun, running, used) = (0, 0, 0)
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      func begin() {
        while running < max(1, width), begun - used < 2 * max(1, width), let piece = rest.next() {
          let number = begun
          begun += 1
          running += 1
          group.addTask { (number, make(piece)) }
        }
      }
      begin()
      while let (number, result) = try await group.next() {
        running -= 1
        waiting[number] = result
        while let next = waiting.removeValue(forKey: used) {
          used += 1
          guard try use(next) else { return group.cancelAll() }
        }
        begin()
      }
    }
  }
}
