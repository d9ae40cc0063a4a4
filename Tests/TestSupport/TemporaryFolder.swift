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

  /// Where an initializer may not throw; without a folder no test can go on.
  public static var new: TemporaryFolder {
    do { return try TemporaryFolder() } catch { fatalError("no temporary folder: \(error)") }
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

  public func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }

  public func text(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }

  public func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: file(name)) }

  /// A script or a program in place of another.
  public func writeProgram(_ text: String, to name: String) throws {
    try write(text, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file(name).path)
  }

  public func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: file(name), withIntermediateDirectories: true)
  }

  public func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: file(name).path, withDestinationPath: target)
  }

  /// Of what is in a folder, hidden files too.
  public func names(_ name: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: name.isEmpty ? path : file(name).path)
  }

  public func remove(_ name: String) throws { try FileManager.default.removeItem(at: file(name)) }

  /// Runs `action` before the folder goes: a cache that still holds writes back would make it anew.
  public func beforeRemoval(_ action: @escaping @Sendable () -> Void) {
    lastActions.withLock { $0.append(action) }
  }

  deinit {
    for action in lastActions.withLock({ $0 }) { action() }
    try? FileManager.default.removeItem(at: url)
  }
}
