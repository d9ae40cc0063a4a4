#if os(Linux)
  import Foundation

  /// Folders that a job of a stranger may read from. Links are followed before a path is checked.
  package struct TrustedRoots: Sendable, Hashable {
    /// Real paths.
    private let folders: [String]

    /// - Throws: where one of the paths leads nowhere.
    package init(_ paths: [String]) throws(SystemCall.Failure) {
      var folders: [String] = []
      for path in paths {
        guard let folder = SystemCall.realPath(path) else {
          throw SystemCall.Failure(errno: errno, call: "trust", path: path)
        }
        folders.append(folder)
      }
      self.folders = folders
    }

    /// Whether a path lies in one of the folders as the disk is now; the part of it that is not there yet counts by name.
    ///
    /// `..` goes up by name: no folder outside is asked for on the way, or a job could find out which ones there are.
    package func holds(_ path: String) -> Bool {
      var rest = path.isEmpty ? path : PathText.absolute(path)
      while true {
        if let real = SystemCall.realPath(rest) { return isWithin(real) }
        guard errno == ENOENT, let slash = rest.lastIndex(of: "/") else { return false }
        // The target of a missing name is unknown.
        if Self.target(ofLink: rest) != nil { return false }
        rest = slash == rest.startIndex ? "/" : String(rest[..<slash])
      }
    }

    /// Opens a file for reading, if it is in one of the folders. What lies elsewhere is not even opened: the file is
    /// found first, and the one that was found is the one that is read. Elsewhere all looks the same, neither what is
    /// missing nor what may not be read.
    package func open(_ path: String, flags: Int32 = 0) throws(SystemCall.Failure) -> Int32 {
      let found = Foundation.open(PathText.absolute(path), pathOnly | O_CLOEXEC)
      guard found >= 0 else {
        let number = errno
        throw holds(path) ? SystemCall.Failure(errno: number, call: "open", path: path) : Self.outside(path)
      }
      defer { close(found) }
      let handle = "/proc/self/fd/\(found)"
      guard let real = Self.target(ofLink: handle) else {
        throw SystemCall.Failure(errno: errno, call: "tell where it is:", path: path)
      }
      guard isWithin(real) else { throw Self.outside(path) }
      return try SystemCall.check("open", path) { Foundation.open(handle, O_RDONLY | O_CLOEXEC | flags) }
    }

    /// The failure that a path outside of the folders is.
    package static func outside(_ path: String) -> SystemCall.Failure {
      SystemCall.Failure(
        errno: EXDEV, call: "read", path: path, words: "it is outside of the trusted folders")
    }

    private func isWithin(_ real: String) -> Bool {
      folders.contains { folder in
        folder == "/" || real.hasBytes(of: folder) || real.utf8.starts(with: (folder + "/").utf8)
      }
    }

    private static func target(ofLink path: String) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }
  }

  private let pathOnly: Int32 = 0o10_000_000  // O_PATH, which _GNU_SOURCE hides from Swift
#endif
