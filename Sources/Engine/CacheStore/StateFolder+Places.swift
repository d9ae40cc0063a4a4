import FileStore

extension StateFolder {
  /// Which of the two folders a path leads into, in words; nil for a path elsewhere. What lies in the cache an app takes
  /// for an entry, and what lies in the state folder is Preheat's own.
  package func place(of path: String) -> String? {
    if OutputFile.isInside(path, of: cache) { return "the cache folder \(cache)" }
    return OutputFile.isInside(path, of: self.path) ? "the state folder \(self.path)" : nil
  }
}
