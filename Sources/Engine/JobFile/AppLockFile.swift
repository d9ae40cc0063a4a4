import ClientKit
import Foundation
import Syntax
import Text

/// A file in which a package manager wrote down the releases that an app is built with.
///
/// It comes from strangers: of its text only versions are ever shown.
package struct AppLockFile {
  static let names = ["Package.resolved", ".package.resolved", "Podfile.lock"]
  private static let largest = 4 << 20

  let path: String
  private var text: [UInt8] = []

  init(_ path: String, within roots: TrustedRoots?) throws(Mistake) {
    try self.init(path) { () throws(ReadFailure) in
      // Pipes and devices have no place here: one would hold the run for ever.
      let reader = try LineReader(
        descriptor: LineSource.descriptor(of: path, within: roots, flags: O_NONBLOCK))
      guard reader.isRegularFile else { throw ReadFailure(reason: "it is not a file") }
      return reader
    }
  }

  /// - Parameter path: its end says the form.
  package init(_ path: String, open: () throws(ReadFailure) -> LineReader) throws(Mistake) {
    self.path = path
    guard Self.names.contains(where: path.hasSuffix) else {
      throw mistake("not the name of a lock file", help: "\(Self.names.joined(separator: ", ")) are read")
    }
    do throws(ReadFailure) {
      var reader = try open()
      while let line = try reader.next() {
        guard case .text(let bytes) = line else { throw ReadFailure(reason: "a line is longer than 1 MiB") }
        text += bytes + [UInt8(ascii: "\n")]
        if text.count > Self.largest { throw ReadFailure(reason: "it is larger than 4 MiB") }
      }
    } catch {
      throw mistake("this cannot be read: \(error.reason)")
    }
  }

  /// Why it does not tell a release.
  func mistake(_ message: String, help: String? = nil) -> Mistake {
    // The end of a long path says most.
    Mistake(0, "\(path.count > 200 ? "…" + path.suffix(200) : path): \(message)", help: help)
  }

  /// The release of a library, as three numbers; nil where the file does not name it.
  package func version(of library: ClientLibrary) throws(Mistake) -> String? {
    guard let names = library.package else { return nil }
    let pins = path.hasSuffix("Podfile.lock") ? podPins(names) : try packagePins(names)
    guard let pin = pins.first else { return nil }
    let version = String((pin ?? "").trimmingPrefix("v"))
    // Anywhere else a version number means nothing.
    guard Set(pins).count == 1, ReleaseText(version) != nil else {
      throw mistake(
        "\(library.title) is not pinned to one release of \(names.repositories[0])",
        help: "give the release itself: client \(library.name) \(library.newest)")
    }
    return version + String(repeating: ".0", count: max(0, 2 - version.count { $0 == "." }))
  }

  // MARK: Forms

  /// Formats 1 (`object.pins`, with `repositoryURL`), 2 and 3 (`pins`, with `location`).
  private struct Resolved: Decodable {
    struct Pins: Decodable { var pins: [Pin] }
    struct Pin: Decodable {
      var kind: String?
      var location: String?
      var repositoryURL: String?
      var state: State
    }
    struct State: Decodable { var version: String? }

    var version: Int
    var object: Pins?
    var pins: [Pin]?
  }

  /// The versions of pins of the library's name; nil for one that is a branch, a commit, a folder or a fork.
  private func packagePins(_ names: LibraryPackage) throws(Mistake) -> [String?] {
    guard let resolved = try? JSONDecoder().decode(Resolved.self, from: Data(text)),
      (1...3).contains(resolved.version), let pins = resolved.pins ?? resolved.object?.pins
    else { throw mistake("this is not as Swift Package Manager writes it, versions 1 to 3") }
    let repositories = names.repositories.map { $0.lowercased() }
    return pins.compactMap { pin in
      let location = (pin.location ?? pin.repositoryURL ?? "").lowercased()
      let words = location.split { "/:".contains($0) }.suffix(2).map { $0.replacing(/\.git$/, with: "") }
      guard let name = words.last, repositories.contains(where: { $0.hasSuffix("/" + name) }) else {
        return nil
      }
      let isRemote = pin.kind ?? "remoteSourceControl" == "remoteSourceControl" && !location.hasPrefix("/")
      return .some(isRemote && repositories.contains(words.joined(separator: "/")) ? pin.state.version : nil)
    }
  }

  /// `PODS:` has the versions; `EXTERNAL SOURCES:` the pods that come from elsewhere.
  private func podPins(_ names: LibraryPackage) -> [String?] {
    var pins: [String?] = []
    var section: ArraySlice<UInt8> = []
    // By bytes: many combining marks are one character, which takes long to find.
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard line.starts(with: "  ".utf8) else {
        section = line
        continue
      }
      let words = line.split { " \"():".utf8.contains($0) }.filter { !$0.elementsEqual("-".utf8) }
      guard !line.starts(with: "   ".utf8), let name = words.first,
        name.elementsEqual(names.pod.utf8) || name.starts(with: "\(names.pod)/".utf8)
      else { continue }
      if section.elementsEqual("PODS:".utf8) {
        pins.append(words.count == 2 ? String(decoding: words[1], as: UTF8.self) : nil)
      }
      if section.elementsEqual("EXTERNAL SOURCES:".utf8) { pins.append(nil) }
    }
    return pins
  }
}
