import FileStore
import Foundation
import Text

extension StateFolder {
  /// Which of the two folders a path leads into, in words; nil for a path elsewhere. What lies in the cache an app takes
  /// for an entry, and what lies in the state folder is Preheat's own.
  package func place(of path: String) -> String? {
    let path = Self.resolved(path) + "/"
    if path.hasPrefix(Self.resolved(cache) + "/") { return "the cache folder \(cache)" }
    return path.hasPrefix(Self.resolved(self.path) + "/") ? "the state folder \(self.path)" : nil
  }

  /// Absolute, links followed as far as there is anything.
  private static func resolved(_ path: String) -> String {
    var there = PathText.absolute(path)
    var rest = ""
    while there != "/" {
      if let real = realpath(there, nil) {
        defer { free(real) }
        return String(cString: real) + rest
      }
      let url = URL(fileURLWithPath: there)
      rest = "/" + url.lastPathComponent + rest
      there = PathText.folder(of: there)
    }
    return rest
  }
}
