import Concurrency
import FileStore
import Foundation

/// What a piece of work has written, call by call, so that a power cut after each of them can be played.
///
/// All that was written when the file system was synchronised is on the device. Of what came later any part may be: a
/// rename, a removal, a file without its bytes or with some of them. SQLite's log counts likewise, with a tail that is cut
/// or never came; SQLite's other files are what it made them, since it synchronises them itself.
package final class WriteLog: Sendable {
  private struct State {
    /// The disk before each call.
    var images: [DiskImage] = []
    /// Indices of images all of which is on the device.
    var synchronized = [0]
  }

  /// What is left.
  package enum Survival: Hashable, Sendable {
    /// Nothing that was not synchronised.
    case nothing
    /// All of it.
    case everything
    /// A part, by a seed.
    case some(seed: UInt64)
  }

  private let root: URL
  private let state = Locked(State())

  /// - Parameter root: all that the work touches; what is there now is on the device.
  package init(root: URL) throws {
    self.root = root
    let image = try DiskImage(root)
    state.withLock { $0.images = [image] }
  }

  package var calls: FileCalls {
    FileCalls { [self] call, _ in
      if [.look, .read].contains(call) { return .perform }
      // A folder that changes while it is read has no image; nobody else is at work here.
      guard let image = try? DiskImage(root) else { return .perform }
      state.withLock { state in
        state.images.append(image)
        if call == .synchronize { state.synchronized.append(state.images.count - 1) }
      }
      return call == .synchronize ? .pretend : .perform
    }
  }

  /// Plays a power cut before each call and after the last.
  ///
  /// - Parameters:
  ///   - seeds: how many parts of the unsynchronised writes are tried for each cut.
  ///   - body: gets a folder as the machine finds it when it starts again.
  /// - Returns: how many were played.
  package func playPowerCuts(
    seeds: Int, _ body: (_ root: URL, _ survival: Survival, _ moment: String) async throws -> Void
  ) async throws -> Int {
    let last = try DiskImage(root)
    var (images, synchronized) = state.withLock { ($0.images, $0.synchronized) }
    images.append(last)
    synchronized.sort()
    var played = 0
    for cut in images.indices {
      let base = synchronized.last { $0 <= cut } ?? 0
      let survivals =
        [Survival.nothing, .everything] + (0..<seeds).map { .some(seed: UInt64(cut * 1000 + $0)) }
      for survival in survivals {
        let image: DiskImage
        switch survival {
        case .nothing: image = images[base]
        case .everything: image = images[cut]
        case .some(let seed):
          var generator = SeededGenerator(state: seed)
          image = DiskImage.part(of: Array(images[base...cut]), using: &generator)
        }
        let folder = try TemporaryFolder()
        let root = folder.file("disk")
        try image.write(to: root)
        try await body(root, survival, "cut at \(cut) of \(images.count), \(survival)")
        played += 1
      }
    }
    return played
  }
}
