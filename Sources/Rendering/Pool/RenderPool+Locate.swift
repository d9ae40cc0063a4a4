import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RenderPool {
  /// Finds the worker's executable: `PREHEAT_RENDER` where it is set, then `preheat-render` beside the
  /// running program, then in `../libexec/preheat` as seen from there.
  ///
  /// - Parameter executable: The running program; links are followed.
  /// - Throws: ``RenderFailure`` with the code `worker`, naming the places that were tried.
  public static func locateWorker(
    beside executable: String = "/proc/self/exe",
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(RenderFailure) -> String {
    if let named = environment["PREHEAT_RENDER"], !named.isEmpty {
      guard isExecutableFile(named) else {
        throw RenderFailure(
          .worker, "PREHEAT_RENDER names \(named), which is no executable file; correct it or unset it")
      }
      return named
    }
    let folder = folder(of: realPath(executable))
    let places = ["\(folder)/preheat-render", "\(self.folder(of: folder))/libexec/preheat/preheat-render"]
    guard let found = places.first(where: isExecutableFile) else {
      throw RenderFailure(
        .worker,
        "preheat-render was not found at \(places.joined(separator: " or ")); "
          + "install it there, or name it in PREHEAT_RENDER")
    }
    return found
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[..<slash])
  }

  private static func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func isExecutableFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
