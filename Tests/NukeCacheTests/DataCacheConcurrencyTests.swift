import Foundation
import TestSupport
import Testing

@testable import NukeCache

/// `PREHEAT_CACHE_OPERATIONS=1000000 swift test --sanitize=thread --filter DataCacheConcurrencyTests`
private let operations =
  ProcessInfo.processInfo.environment["PREHEAT_CACHE_OPERATIONS"].flatMap { Int($0) } ?? 8000

@Suite(.timeLimit(.minutes(10)))
struct DataCacheConcurrencyTests {
  /// Data that shows whose it is and whether it is whole.
  private static func data(_ key: Int, version: Int) -> Data {
    Data("\(key) ".utf8) + Data(repeating: UInt8(version % 251), count: 64 + version % 251 * 8)
  }

  private static func isWhole(_ data: Data, _ key: Int) -> Bool {
    guard let byte = data.last else { return false }
    return data == self.data(key, version: Int(byte))
  }

  @Test func eightTasksAtOnceSeeOnlyWholeDataOfTheKeyTheyAskFor() async throws {
    let temporary = try TemporaryFolder()
    let cache = try DataCache(path: temporary.file("cache"))
    let share = operations / 8

    let broken = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var random = SystemRandomNumberGenerator()
          var broken = 0
          for step in 0..<share {
            let key = Int.random(in: 0..<100, using: &random)
            switch Int.random(in: 0..<1000, using: &random) {
            case 0..<350: cache["\(key)"] = Self.data(key, version: step)
            case 350..<850: if let data = cache["\(key)"], !Self.isWhole(data, key) { broken += 1 }
            case 850..<920: _ = cache.containsData(for: "\(key)")
            case 920..<985: cache.removeData(for: "\(key)")
            case 985..<994: cache.flush(for: "\(key)")
            case 994..<998: cache.sweep()
            case 998: cache.sizeLimit = 100_000 + task * 10_000
            default: if step % 7 == 0 { cache.removeAll() } else { cache.flush() }
            }
          }
          return broken
        }
      }
      return await group.reduce(0, +)
    }
    #expect(broken == 0)

    // What is on disk in the end is what reads gave before.
    let before = (0..<100).map { cache["\($0)"] }
    cache.flush()
    let reopened = try DataCache(path: cache.path)
    #expect((0..<100).map { reopened["\($0)"] } == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.path.path)
    #expect(names.allSatisfy { !$0.hasPrefix(".") })
  }
}
