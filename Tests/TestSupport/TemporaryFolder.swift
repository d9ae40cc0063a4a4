import Foundation
import Synchronization

/// A fresh folder that is gone when the value is released.
public final class TemporaryFolder: Sendable {
  public let url: URL
  private let lastActions = Mutex<[@Sendable () -> Void]>([])

  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("preheat-test-\(UUID().uuidString)").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  public var path: String { url.path }

  public func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// Runs `action` before the folder goes: a cache that still holds writes back would make it anew.
  public func beforeRemoval(_ action: @escaping @Sendable () -> Void) {
    lastActions.withLock { $0.append(action) }
  }

  deinit {
    for action in lastActions.withLock({ $0 }) { action() }
    try? FileManager.default.removeItem(at: url)
  }
}
