import Foundation
import TestSupport

@testable import Concurrency
@testable import FileStore
@testable import KingfisherCache

/// A time that stands still until a test moves it.
final class TestClock: Sendable {
  private let time: Locked<Date>

  init(_ date: Date = TestClock.start) { time = Locked(date) }

  /// Well before the dates that the system gives files: 2026-01-01T00:00:00Z.
  static let start = Date(timeIntervalSince1970: 1_767_225_600)

  var now: Date { time.withLock { $0 } }
  @Sendable func read() -> Date { now }
  func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// A cache in a folder of its own, with a clock for both storages.
struct CacheKit {
  let temporary: TemporaryFolder
  let clock = TestClock()
  let cache: ImageCache

  init(version: KingfisherVersion = .latest) throws {
    temporary = try TemporaryFolder()
    let config = DiskStorage.Config(name: "test", directory: temporary.url, version: version)
    cache = ImageCache(
      memoryStorage: .init(now: clock.read), diskStorage: .init(config, now: clock.read))
  }

  var disk: DiskStorage.Backend { cache.diskStorage }
  var folder: URL { temporary.file(DiskStorage.Config.folderNamePrefix + "test") }

  func name(_ key: String) throws -> String {
    try KingfisherKeyFormat(version: cache.version).fileNames(forComputedKey: key)[0]
  }

  /// Names of everything in the folder, hidden files too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  func entry(_ key: String) throws -> FileEntry {
    guard let entry = try FileStore(existing: folder).entry(named: name(key)) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return entry
  }

  /// Puts a file into the folder as something else than this cache would.
  func plant(_ data: Data, _ key: String, access: Date? = nil, expiry: Date? = nil) throws {
    let expiry = expiry ?? clock.now.addingTimeInterval(1000)
    try FileStore(existing: folder).write(
      data, as: try name(key), dates: FileDates(access: access, modification: expiry))
  }

  /// What a handler is given, once it is.
  func value<Value: Sendable>(_ call: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value {
    await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
  }

  func end(_ call: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in call { continuation.resume() } }
  }

  func store(_ image: KFCrossPlatformImage, _ key: String, _ identifier: String = "") async throws {
    let result = await value {
      cache.store(image, forKey: key, processorIdentifier: identifier, completionHandler: $0)
    }
    try result.diskCacheResult.get()
  }
}

extension KFCrossPlatformImage {
  /// The beginning of a PNG file, which is all that is looked at.
  static func png(_ width: Int = 4, _ height: Int = 3, padding: Int = 0) throws -> KFCrossPlatformImage {
    guard let image = Self(data: Data.pngBeginning(width, height) + Data(count: padding)) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return image
  }
}

extension Data {
  static func pngBeginning(_ width: Int, _ height: Int) -> Data {
    let size = [width, height].flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    return Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + size
        + [8, 2, 0, 0, 0])
  }
}
