import Foundation

/// Paths as text: only the working directory and the home folder are read from the system.
package enum PathText {
  /// Whether a path begins at the home folder: no shell has read what stands in a job, in a variable or behind an equals
  /// sign. `~name` is a name like any other.
  package static func beginsAtHome(_ path: String) -> Bool { path == "~" || path.hasPrefix("~/") }

  /// Nil where the environment names none.
  package static var home: String? {
    getenv("HOME").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The home folder in place of its sign.
  package static func expanded(_ path: String) -> String {
    guard beginsAtHome(path), let home else { return path }
    return home + path.dropFirst()
  }

  /// `jobs` for `jobs/a.job`, `.` for `a.job`.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// `a.job` for `jobs/a.job` and `a` for `jobs/a/`; nil where there is no name.
  package static func name(of path: String) -> String? { parts(of: path).last.map(String.init) }

  /// `path` seen from `folder`, with no more change than that: for reports.
  package static func joined(_ path: String, to folder: String) -> String {
    let path = expanded(path)
    if path.hasPrefix("/") || folder == "." { return path }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }

  /// Absolute, without `.`, `..`, double or trailing slashes.
  package static func absolute(_ path: String, in folder: String = ".") -> String {
    var whole = joined(path, to: folder)
    if !whole.hasPrefix("/") { whole = FileManager.default.currentDirectoryPath + "/" + whole }
    var parts: [Substring] = []
    for part in Self.parts(of: whole) where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Absolute, with the links of its existing part followed.
  package static func real(_ path: String) -> String {
    var there = absolute(path)
    var rest = ""
    while there != "/" {
      if let real = SystemCall.realPath(there) { return real + rest }
      rest = "/" + (name(of: there) ?? "") + rest
      there = folder(of: there)
    }
    return rest
  }

  /// `path` as seen from `folder`, by the names alone: `../app.job`.
  package static func relative(_ path: String, to folder: String) -> String {
    let (parts, base) = (Self.parts(of: absolute(path)), Self.parts(of: absolute(folder)))
    let common = zip(parts, base).prefix { $0 == $1 }.count
    return (base.dropFirst(common).map { _ in ".." } + parts.dropFirst(common)).joined(separator: "/")
  }

  /// By bytes: a mark at the beginning of a name belongs to no slash.
  package static func parts(of path: String) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
  }

  /// The path of a `file:` URL; Foundation is too slow to be asked a hundred thousand times.
  package static func path(ofFileURL url: String) -> String? {
    let prefix = "file:///"
    if url.hasPrefix(prefix), url.hasBytes({ $0 != 0x25 && $0 != 0x3F && $0 != 0x23 && $0 != 0x3B }) {
      return String(Substring(url.utf8.dropFirst(prefix.utf8.count - 1)))
    }
    return URL(string: url).flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.path }
  }
}
