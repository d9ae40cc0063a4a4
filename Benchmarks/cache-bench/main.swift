// Times the library's `DataCache` against plain read(2) on the same files, and how long a write holds its caller.
// Part of `make bench`; run alone with `swift run -c release cache-bench`.

import Foundation
import NukeCache

let entryCount = 10_000
let entrySize = 20_000
let rounds = 9

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cache-bench-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }

let cache = try DataCache(path: folder)
cache.sizeLimit = .max
let keys = (0..<entryCount).map { "https://img.example.com/catalog/\($0).jpg" }

/// Seconds that `body` takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  return try clock.measure(body) / .seconds(1)
}

/// The least that a program could do by itself: open, read into a buffer that is there, close. The path is known.
func plainRead(_ path: String, into buffer: UnsafeMutableRawBufferPointer) -> Int {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  defer { close(descriptor) }
  return read(descriptor, buffer.baseAddress, buffer.count)
}

let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

// MARK: Writing

var waits: [Double] = []
waits.reserveCapacity(entryCount)
for key in keys {
  let data = Data(repeating: UInt8(waits.count & 255), count: entrySize)
  waits.append(seconds { cache.storeData(data, for: key) })
}
cache.flush()
waits.sort()
let p99 = waits[waits.count * 99 / 100] * 1e6

// MARK: Reading

let paths = keys.compactMap { cache.url(for: $0)?.path }
guard paths.count == entryCount, paths.allSatisfy({ plainRead($0, into: buffer) == entrySize }) else {
  fatalError("the entries are not all there")
}
var ours: [Double] = []
var plain: [Double] = []
for _ in 0..<rounds {
  ours.append(
    seconds { for key in keys where cache.cachedData(for: key)?.count != entrySize { fatalError(key) } })
  plain.append(
    seconds { for path in paths where plainRead(path, into: buffer) != entrySize { fatalError(path) } })
}
let ratios = zip(ours, plain).map { $0 / $1 }.sorted()
func milliseconds(_ values: [Double]) -> String { "\((values.sorted()[rounds / 2] * 1e4).rounded() / 10) ms" }

print("\(entryCount) entries of \(entrySize) bytes, medians of \(rounds) rounds in turn")
print("reading through DataCache  \(milliseconds(ours))")
print("reading with read(2)       \(milliseconds(plain))")
print("ratio                      \((ratios[rounds / 2] * 100).rounded() / 100)")
print("storeData, p99             \((p99 * 10).rounded() / 10) microseconds")
