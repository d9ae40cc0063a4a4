import ClientKit
import Foundation
import Syntax
import Text

/// A file in which a package manager wrote down the releases that an app is built with.
///
/// It comes from strangers: it is read whole or not at all, and of its text only versions and places of repositories
/// are ever shown.
package struct AppLockFile {
  /// What the file says of one library.
  struct Pin {
    var line: Int
    /// Where the package comes from; nil for the place that is usual.
    var location: String?
    /// Nil where the file names a branch, a commit or a folder.
    var version: String?
  }

  static let largest = 4 << 20
  /// Lines, or values of JSON: each takes memory of its own, and no app has a tenth of them.
  static let mostParts = 100_000
  static let tooManyParts = "it has more than 100,000 lines or values"

  let path: String
  /// Lines of text, without their ends.
  let lines: [String]
  private let format: @Sendable (AppLockFile, LibraryPackage) throws(LockFileFault) -> [Pin]

  init(_ path: String, within roots: TrustedRoots?) throws(LockFileFault) {
    try self.init(path) { () throws(ReadFailure) in try Self.reader(path, within: roots) }
  }

  /// - Parameter path: its end says the form.
  package init(_ path: String, open: () throws(ReadFailure) -> LineReader) throws(LockFileFault) {
    self.path = path
    guard let format = Self.formats.first(where: { path.hasSuffix($0.name) })?.pins else {
      let names = Self.formats.map(\.name).joined(separator: ", ")
      throw LockFileFault(path, nil, "not the name of a lock file", help: "\(names) are read")
    }
    self.format = format
    var lines: [String] = []
    do throws(ReadFailure) {
      var reader = try open()
      var size = 0
      while let line = try reader.next() {
        guard case .text(let bytes) = line else { throw ReadFailure(reason: "a line is longer than 1 MiB") }
        size += bytes.count + 1
        if size > Self.largest {
          throw ReadFailure(reason: "it is larger than \(ByteCountText.text(Self.largest))")
        }
        if lines.count == Self.mostParts { throw ReadFailure(reason: Self.tooManyParts) }
        if let fault = LineFault.first(in: bytes) {
          throw ReadFailure(reason: "\(fault.message) in line \(lines.count + 1)")
        }
        lines.append(String(decoding: bytes, as: UTF8.self))
      }
    } catch {
      throw LockFileFault(path, lines.count + 1, "this cannot be read: \(error.reason)")
    }
    self.lines = lines
    let marks = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
    if let marked = lines.firstIndex(where: { line in marks.contains { line.hasPrefix($0) } }) {
      throw fault(marked, "the mark of a merge conflict", help: "resolve the conflict first")
    }
  }

  /// Pipes and devices have no place here: one would hold the run for ever.
  private static func reader(_ path: String, within roots: TrustedRoots?) throws(ReadFailure) -> LineReader {
    let reader = try LineReader(
      descriptor: LineSource.descriptor(of: path, within: roots, flags: O_NONBLOCK))
    guard reader.isRegularFile else { throw ReadFailure(reason: "it is not a file") }
    return reader
  }

  /// - Parameter index: of the line.
  func fault(_ index: Int, _ message: String, help: String? = nil) -> LockFileFault {
    LockFileFault(path, index + 1, message, help: help)
  }

  // MARK: What it says

  /// The release of a library; nil where the file does not name it.
  package func pin(of library: ClientLibrary) throws(LockFileFault) -> (
    version: String, line: Int, warning: String?
  )? {
    let pins = try library.package.map { names throws(LockFileFault) in try format(self, names) } ?? []
    let title = library.title
    let advice = "give the release itself: client \(library.name) \(library.newest)"
    var warning: String?
    guard let pin = pins.first else { return nil }
    for each in pins {
      let place = Repository(each.location ?? "")
      if each.location != nil, place == nil {
        throw fault(each.line, "\(title) is used from a folder, which has no release", help: advice)
      }
      if let place, let names = library.package?.repositories, !names.contains(where: place.isNamed) {
        throw fault(
          each.line, "\(title) comes from \(Mistake.shown(place.text)), a fork: its keys may differ",
          help: advice)
      }
      if let place, place.host != Repository.usualHost {
        warning = "\(title) comes from \(Mistake.shown(place.host)): is it the same code?"
      }
      guard each.version != nil else {
        throw fault(each.line, "\(title) is pinned to a branch or commit, which has no release", help: advice)
      }
      guard each.version == pin.version else {
        throw fault(
          each.line,
          "\(title) is here \(Mistake.shown(each.version ?? "")), in line \(pin.line + 1) "
            + Mistake.shown(pin.version ?? ""), help: advice)
      }
    }
    let text = String((pin.version ?? "").trimmingPrefix("v"))
    let isRelease = text.wholeMatch(of: /[0-9]{1,6}(\.[0-9]{1,6}){0,2}/) != nil
    guard isRelease else {
      throw fault(
        pin.line, "\(title) \(Mistake.shown(text)) is not a release, and only releases are known",
        help: advice)
    }
    let missing = 2 - text.count { $0 == "." }
    return (text + String(repeating: ".0", count: missing), pin.line + 1, warning)
  }
}

/// Where a package comes from, without what may be secret.
struct Repository: Sendable {
  static let usualHost = "github.com"

  var host: String
  var path: String

  var text: String { "\(host)/\(path)" }

  /// Nil for a path on the machine.
  ///
  /// - Parameter location: a URL, or the `user@host:path` of SSH.
  init?(_ location: String) {
    var rest = location.lowercased()[...]
    let scheme = rest.firstRange(of: "://")
    if let scheme { rest = rest[scheme.upperBound...] }
    guard !rest.hasPrefix("/"), !rest.hasPrefix("."), !rest.hasPrefix("~") else { return nil }
    var authority = rest.prefix { $0 != "/" }
    let behind = rest[authority.endIndex...]
    if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
    let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    // What follows a colon is a port, or without a scheme the path.
    host = String(parts.first ?? "")
    let begin = scheme == nil ? String(parts.dropFirst().first ?? "") : ""
    let names = (begin + behind).split(separator: "/")
    path = (names.dropLast() + [Self.name(of: location)[...]]).joined(separator: "/")
    guard !host.isEmpty, names.count >= 2 else { return nil }
  }

  /// The last part of a location, as package managers name what comes from there.
  static func name(of location: String) -> String {
    let marks = "/:".utf8
    let path = location.utf8.lastIndex { !marks.contains($0) }.map { location[...$0] } ?? ""
    let start = path.utf8.lastIndex { marks.contains($0) }.map { path.utf8.index(after: $0) }
    let last = path[(start ?? path.startIndex)...].lowercased()
    return String(last.hasSuffix(".git") ? last.dropLast(4) : last[...])
  }

  /// - Parameter repository: `owner/name`; a mirror may have it below folders of its own.
  func isNamed(_ repository: String) -> Bool {
    let wanted = repository.lowercased()
    return path == wanted || host != Self.usualHost && path.hasSuffix("/" + wanted)
  }
}

/// Why a lock file does not tell a release.
package struct LockFileFault: Error, CustomStringConvertible {
  package var description: String
  var help: String?

  /// - Parameter line: from 1; nil for the file as a whole.
  init(_ path: String, _ line: Int?, _ message: String, help: String? = nil) {
    // The end of a long path says most.
    let shown = path.count > 200 ? "…" + path.suffix(200) : path
    description = "\(shown)\(line.map { ":\($0)" } ?? ""): \(message)"
    self.help = help
  }
}
