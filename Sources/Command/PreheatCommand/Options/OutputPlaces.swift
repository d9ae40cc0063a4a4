import CacheStore
import FileStore
import Foundation

/// The files and folders that a run writes for others; none of them may lie where it keeps its own.
extension RunArguments {
  private typealias Place = (option: String, path: String)

  private var files: [Place] {
    [
      ("signposts", log), ("trace", trace), ("junit", junit), ("metrics", metrics), ("failures", failures),
    ].compactMap { option, path in path.map { (option, $0) } }
  }

  private var places: [Place] { files + (report.map { [("report", $0)] } ?? []) }

  /// Paths that cannot become a file or a folder are errors before anything is fetched.
  func checkPlaces() throws(UsageError) {
    for (option, path) in files where OutputFile.isFolder(path) {
      throw UsageError(
        .invalidValue, "--\(option) needs a file, but \(path) is a folder",
        suggestion: "name a file in it")
    }
    guard let report, FileManager.default.fileExists(atPath: report), !OutputFile.isFolder(report) else {
      return
    }
    throw UsageError(
      .invalidValue, "--report needs a folder, but \(report) is a file", suggestion: "name another one")
  }

  /// An app would take them for entries of its cache, and the next run would be in their way.
  func checkPlaces(against caches: [String]) throws(UsageError) {
    for cache in Set(caches).sorted() {
      for (option, path) in places {
        guard let place = StateFolder(cache: cache).place(of: path) else { continue }
        throw UsageError(
          .invalidValue, "--\(option): \(path) is inside \(place)",
          suggestion: "choose a place outside of it")
      }
    }
  }
}
