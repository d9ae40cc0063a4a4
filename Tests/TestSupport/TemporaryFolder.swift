import Concurrency
import Foundation

/// A fresh folder that is gone when the value is released.
public final class TemporaryFolder: Sendable {
  public let url: URL
  private let lastActions = Locked<[@Sendable () -> Void]>([])

  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("preheat-test-\(UUID().uuidString)").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    Self.lastLook
    Self.paths.withLock { [path = url.path] in $0.append(path) }
  }

  /// Paths of all folders. What a test leaves running may write once more after its folder is gone, and so
  /// make it anew; the end of the process takes such ones along.
  private static let paths = Locked<[String]>([])
  private static let lastLook: Void = {
    atexit {
      for path in TemporaryFolder.paths.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }
  }()

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
