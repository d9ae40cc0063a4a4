import Fetching
import Foundation

// Downloads the URLs of a file with `HTTPLoader` and prints how many came, their bytes and the seconds:
//
//     fetch-bench URLS [PARALLEL]
//
// The bodies are dropped: the loader alone is measured. All hosts may be at private addresses.

let arguments = CommandLine.arguments
guard arguments.count >= 2, let text = try? String(contentsOfFile: arguments[1], encoding: .utf8) else {
  FileHandle.standardError.write(Data("usage: fetch-bench URLS [PARALLEL]\n".utf8))
  exit(2)
}
let urls = text.split(separator: "\n").map(String.init)
let parallel = arguments.count > 2 ? Int(arguments[2]) ?? 16 : 16
var configuration = HTTPConfiguration()
configuration.maxConcurrent = parallel
configuration.maxConcurrentPerHost = parallel
configuration.allowPrivate = ["127.0.0.1", "localhost", "::1"]

let loader = HTTPLoader(configuration: configuration)

// Not on the main actor, where a run is not either.
@concurrent
func loadAll() async -> (count: Int, bytes: Int) {
  await withTaskGroup(of: Int?.self) { group in
    var (next, count, bytes) = (0, 0, 0)
    // As a run does: more wait than are under way, but never all.
    func add() {
      guard next < urls.count else { return }
      let url = urls[next]
      next += 1
      group.addTask { try? await loader.load(HTTPRequest(url: url)).body.count }
    }
    for _ in 0..<(2 * parallel) { add() }
    for await size in group {
      add()
      guard let size else { continue }
      count += 1
      bytes += size
    }
    return (count, bytes)
  }
}

let start = ContinuousClock.now
let (count, bytes) = await loadAll()
let seconds = (ContinuousClock.now - start) / .seconds(1)
print("\(count) files, \(bytes) bytes, \(seconds) s")
loader.shutdown()
exit(count == urls.count ? 0 : 1)
