import CacheStore
import FileStore
import Foundation
import JobFile

/// The files and folders that a run writes for others; none of them may lie where it keeps its own.
struct OutputPlaces: Sendable {
  private let files: [(option: String, path: String)]
  private let folder: String?

  init(_ run: RunArguments) {
    let named = [
      ("signposts", run.log), ("trace", run.trace), ("junit", run.junit), ("metrics", run.metrics),
      ("failures", run.failures),
    ]
    files = named.compactMap { option, path in path.map { (option, $0) } }
    folder = run.report
  }

  private var all: [(option: String, path: String)] { files + (folder.map { [("report", $0)] } ?? []) }

  /// Paths that cannot become a file or a folder are errors before anything is fetched.
  func check() throws(UsageError) {
    for (option, path) in files where OutputFile.isFolder(path) {
      throw UsageError(
        .invalidValue, "--\(option) needs a file, but \(path) is a folder",
        suggestion: "name a file in it")
    }
    guard let folder, FileManager.default.fileExists(atPath: folder), !OutputFile.isFolder(folder) else {
      return
    }
    throw UsageError(
      .invalidValue, "--report needs a folder, but \(folder) is a file", suggestion: "name another one")
  }

  /// An app would take them for entries of its cache, and the next run would be in their way.
  func check(against caches: [String]) throws(UsageError) {
    for cache in Set(caches).sorted() {
      for (option, path) in all {
        guard let place = StateFolder(cache: cache).place(of: path) else { continue }
        throw UsageError(
          .invalidValue, "--\(option): \(path) is inside \(place)",
          suggestion: "choose a place outside of it")
      }
    }
  }

  /// The same for the caches of jobs that have not been read yet: a recording begins before they are.
  ///
  /// Standard input can be read only once; its cache is known when that has been done.
  func check(jobs: JobArguments) throws(UsageError) {
    guard !all.isEmpty else { return }
    let given = try jobs.sharded()
    let caches = jobs.jobs.filter { $0 != "-" }.compactMap { path in
      JobFile(reading: .file(path), given).settings?.cache
    }
    try check(against: caches + (given["cache"].map { [$0] } ?? []))
  }
}
