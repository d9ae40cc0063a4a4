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
  let version: KingfisherVersion

  init(version: KingfisherVersion = .latest, name: String = "test", listsFilesOnce: Bool = false) throws {
    temporary = try TemporaryFolder()
    self.version = version
    let config = DiskStorage.Config(
      name: name, directory: temporary.url, version: version, listsFilesOnce: listsFilesOnce)
    cache = ImageCache(
      memoryStorage: .init(config: MemoryStorage.Config(), version: version, now: clock.read),
      diskStorage: try .init(config: config, now: clock.read))
  }

  var disk: DiskStorage.Backend { cache.diskStorage }

  func file(_ key: String) throws -> URL { try disk.cacheFileURL(forKey: key) }

  /// Names of everything in the folder, hidden files too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: disk.directoryURL.path).sorted() }
  }

  func dates(_ key: String) throws -> EntryDates {
    let store = try disk.readyStore()
    let name = try disk.cacheFileName(forKey: key)
    guard let entry = try store.entry(named: name) else { throw CocoaError(.fileNoSuchFile) }
    return EntryDates(of: entry, in: store)
  }

  /// Puts a file into the folder as something else than this cache would.
  func plant(_ data: Data, _ key: String, expiry: Date? = nil) throws {
    let expiry = expiry ?? clock.now.addingTimeInterval(1000)
    try disk.readyStore().write(
      data, as: try disk.cacheFileName(forKey: key), dates: FileDates(access: clock.now, modification: expiry)
    )
  }
}

extension KFCrossPlatformImage {
  /// The beginning of a PNG file, which is all that the default serializer looks at.
  static func png(_ width: Int = 4, _ height: Int = 3, padding: Int = 0) -> KFCrossPlatformImage {
    KFCrossPlatformImage(
      data: Data.pngBeginning(width, height) + Data(count: padding), pixelWidth: width, pixelHeight: height)
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
