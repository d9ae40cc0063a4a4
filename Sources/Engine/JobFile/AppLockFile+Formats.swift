import ClientKit
import Feeds
import Foundation
import Text

extension AppLockFile {
  typealias Format = (
    name: String, pins: @Sendable (AppLockFile, LibraryPackage) throws(LockFileFault) -> [Pin]
  )

  /// How the names of the files end, and what finds a library in them.
  static let formats: [Format] = [
    ("Package.resolved", { file, names throws(LockFileFault) in try file.packagePins(names) }),
    (".package.resolved", { file, names throws(LockFileFault) in try file.packagePins(names) }),
    ("Podfile.lock", { file, names throws(LockFileFault) in try file.podPins(names) }),
  ]

  // MARK: Swift Package Manager

  /// Formats 1 (`object.pins`, with `repositoryURL`), 2 and 3 (`pins`, with `identity` and `location`).
  private struct Resolved: Decodable {
    struct Pins: Decodable { var pins: [Entry] }
    struct Entry: Decodable {
      var identity: String?
      var kind: String?
      var location: String?
      var repositoryURL: String?
      var state: State
    }
    struct State: Decodable { var version: String? }

    var version: Int?
    var object: Pins?
    var pins: [Entry]?
  }

  private func packagePins(_ names: LibraryPackage) throws(LockFileFault) -> [Pin] {
    let places = try memberPlaces()
    let resolved: Resolved
    do {
      resolved = try JSONDecoder().decode(Resolved.self, from: Data(lines.joined(separator: "\n").utf8))
    } catch {
      throw fault(Self.line(of: error, places), "this is not JSON as Swift Package Manager writes it")
    }
    guard let version = resolved.version, (1...3).contains(version) else {
      throw fault(
        places["version"]?.last ?? 0, "version \(resolved.version.map(String.init) ?? "missing")",
        help: "versions 1 to 3 of Package.resolved are read")
    }
    guard let entries = version == 1 ? resolved.object?.pins : resolved.pins else {
      throw fault(0, "it has no pins where version \(version) has them")
    }
    var pins: [Pin] = []
    for (index, entry) in entries.enumerated() {
      let location = (version == 1 ? entry.repositoryURL : entry.location) ?? ""
      let name = Repository.name(of: location)
      guard names.identities.contains(name) || names.identities.contains(entry.identity?.lowercased() ?? name)
      else { continue }
      let line = places["state"].flatMap { index < $0.count ? $0[index] : nil } ?? 0
      let isLocal = entry.kind.map { $0 != "remoteSourceControl" } ?? false
      pins.append(Pin(line: line, location: isLocal ? "/" : location, version: entry.state.version))
    }
    return pins
  }

  /// The lines in which members of JSON objects stand, by name. The decoder says no lines, and of two members with one
  /// name it takes one.
  private func memberPlaces() throws(LockFileFault) -> [String: [Int]] {
    let text = CatalogueText(bytes: Array(lines.joined(separator: "\n").utf8))
    var walker = JSONWalker(text, mostLevels: 16)
    var members = MemberPlaces()
    do throws(FeedFault) {
      try walker.document([], &members)
    } catch {
      // An end without a line end is behind the last line, not in it.
      throw fault(max(0, min(error.line, lines.count) - 1), error.message)
    }
    return members.lines
  }

  /// The line of the pin that the decoder refuses, or the first where it refuses all.
  private static func line(of error: any Error, _ places: [String: [Int]]) -> Int {
    let path: [any CodingKey] =
      switch error as? DecodingError {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      default: []
      }
    let index = path.lazy.compactMap(\.intValue).first ?? .max
    return places["state"].flatMap { index < $0.count ? $0[index] : nil } ?? 0
  }

  // MARK: CocoaPods

  /// `PODS:` has the versions; `EXTERNAL SOURCES:` the pods that come from elsewhere.
  private func podPins(_ names: LibraryPackage) throws(LockFileFault) -> [Pin] {
    var pins: [Pin] = []
    var sections: Set<Substring> = []
    var section: Substring = ""
    /// What stands below the library's name, by key.
    var external: [String: String]?
    var isExternal = false
    func isOwn(_ name: some StringProtocol) -> Bool { name == names.pod || name.hasPrefix(names.pod + "/") }
    for (number, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      var words = PodLine(rest: line.utf8[...])
      if let name = words.section() {
        section = name
        guard sections.insert(section).inserted else { throw fault(number, "a section twice") }
      } else if !line.hasPrefix(" ") {
        throw fault(number, "this is not as CocoaPods writes it")
      } else if section == "PODS", !line.hasPrefix("    ") {
        guard let pod = words.pod() else { throw fault(number, "this is not a pod and its version") }
        if isOwn(pod.name) { pins.append(Pin(line: number, version: String(pod.version))) }
      } else if section == "EXTERNAL SOURCES" {
        if let source = words.source() {
          if isExternal { external?[String(source.key)] = String(source.value) }
        } else if let name = words.external() {
          isExternal = isOwn(name)
          if isExternal { external = external ?? [:] }
        }
      }
    }
    guard let external else { return pins }
    return pins.map { pin in
      Pin(
        line: pin.line, location: external["git"] ?? "/", version: external["tag"] == nil ? nil : pin.version)
    }
  }
}

/// A line of `Podfile.lock`, taken apart from left to right: nothing is looked at twice, however the line was made.
private struct PodLine {
  var rest: Substring.UTF8View

  private mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// As many bytes as are of a kind.
  private mutating func take(_ isWanted: (UInt8) -> Bool) -> Substring {
    let end = rest.firstIndex { !isWanted($0) } ?? rest.endIndex
    defer { rest = rest[end...] }
    return Substring(rest[..<end])
  }

  private mutating func take(without marks: String) -> Substring { take { !marks.utf8.contains($0) } }

  /// `PODS:`; nil leaves the line as it is.
  func section() -> Substring? {
    var line = self
    let name = line.take { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: " ") }
    return name.isEmpty || name.hasPrefix(" ") || !line.skip(":") ? nil : name
  }

  /// `  - Nuke (12.8.0)`
  mutating func pod() -> (name: Substring, version: Substring)? {
    guard skip("  - ") else { return nil }
    _ = skip("\"")
    let name = take(without: "\"() ")
    guard !name.isEmpty, skip(" (") else { return nil }
    let version = take(without: "() ")
    guard !version.isEmpty, skip(")") else { return nil }
    _ = skip("\"")
    _ = skip(":")
    return rest.isEmpty ? (name, version) : nil
  }

  /// `    :git: https://example.com/nuke.git`; nil leaves the line as it is.
  func source() -> (key: Substring, value: Substring)? {
    var line = self
    guard line.skip("    :") else { return nil }
    let key = line.take(\.isLowercaseLetter)
    guard !key.isEmpty, line.skip(":") else { return nil }
    _ = line.take { $0 == UInt8(ascii: " ") }
    _ = line.skip("\"")
    let value = line.take(without: "\"")
    _ = line.skip("\"")
    return line.rest.isEmpty ? (key, value) : nil
  }

  /// `  Nuke:`
  mutating func external() -> Substring? {
    guard skip("  ") else { return nil }
    _ = skip("\"")
    let name = take(without: "\": ")
    _ = skip("\"")
    return !name.isEmpty && skip(":") && rest.isEmpty ? name : nil
  }
}

/// The lines of the members that are asked for, from 0; a node is the names that an object has so far.
private struct MemberPlaces: JSONVisitor {
  private(set) var lines = ["version": [Int](), "state": []]
  private var count = 0

  mutating func child(
    _ step: JSONStep, of names: inout Set<[UInt8]>, at place: TextPlace
  ) throws(FeedFault) -> Set<[UInt8]> {
    count += 1
    guard count <= AppLockFile.mostParts else { throw FeedFault(at: place, AppLockFile.tooManyParts) }
    guard case .member(let name) = step else { return [] }
    guard names.insert(name).inserted else { throw FeedFault(at: place, "a member twice") }
    lines[String(decoding: name, as: UTF8.self)]?.append(place.line - 1)
    return []
  }

  func begin(_ names: inout Set<[UInt8]>, isArray: Bool) {}
  func end(_ names: Set<[UInt8]>) {}
  func scalar(_ text: [UInt8]?, _ names: Set<[UInt8]>) {}
}

extension LibraryPackage {
  /// What Swift Package Manager calls it.
  fileprivate var identities: [String] { repositories.map(Repository.name) }
}
