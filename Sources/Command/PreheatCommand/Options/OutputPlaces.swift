import CacheStore
import FileStore
import Foundation

/// The files and folders that a run writes for others; none of them may lie where it keeps its own.
extension RunArguments {
  private typealias Place = (option: String, path: String)

  private var places: [Place] {
    [
      ("signposts", log), ("trace", trace), ("junit", junit), ("metrics", metrics), ("failures", failures),
      ("report", report),
    ].compactMap { option, path in path.map { (option, $0) } }
  }

  /// Paths that cannot become a file or a folder are errors before anything is fetched.
  func checkPlaces() throws(UsageError) {
    for (option, path) in places where FileManager.default.fileExists(atPath: path) {
      let isFolder = OutputFile.isFolder(path)
      guard isFolder != (option == "report") else { continue }
      let (wanted, found) = isFolder ? ("file", "folder") : ("folder", "file")
      throw UsageError(
        .invalidValue, "--\(option) needs a \(wanted), but \(path) is a \(found)",
        suggestion: isFolder ? "name a file in it" : "name another one")
    }
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
