import ClientKit
import ClientRegistry
import Syntax
import Text

/// `nuke 12`, `nuke from ../App/Package.resolved`: a client and what says its release.
struct ClientText: Sendable {
  let library: ClientLibrary
  /// The release as typed, or the path of the app's lock file.
  private let text: String
  private let place: Int
  let isFile: Bool
  /// The known release whose rules the job's author knows to hold.
  private var alias: (text: String, place: Int)?

  /// Reads all that is left.
  init(_ scanner: inout LineScanner) throws(Mistake) {
    let start = scanner.position
    let name = String(decoding: scanner.word(), as: UTF8.self)
    guard let library = ClientRegistry.library(named: name) else {
      throw .noSuch(
        "client", name, known: ClientRegistry.libraries.map(\.name),
        otherwise: "\(ClientRegistry.versionsInWords), as in: \(ClientRegistry.example)", at: start)
    }
    self.library = library
    scanner.skipBlank()
    isFile = scanner.peekedWord == "from"
    if isFile {
      _ = scanner.word()
      scanner.skipBlank()
    }
    place = scanner.position
    text = isFile ? try scanner.wordOrQuoted() : String(decoding: scanner.word(), as: UTF8.self)
    guard !text.isEmpty else {
      throw Mistake(
        place, isFile ? "the app's lock file is missing" : "the client's version is missing",
        help: "\(library.name) \(library.majors.upperBound), or: \(JobRows.lockExample)")
    }
    scanner.skipBlank()
    if scanner.peekedWord == "as" {
      _ = scanner.word()
      scanner.skipBlank()
      let place = scanner.position
      alias = (String(decoding: scanner.word(), as: UTF8.self), place)
    }
    try scanner.expectEnd(
      help: isFile ? "put a path with white space in double quotes" : "client \(ClientRegistry.example)")
  }

  /// The client with its release.
  ///
  /// - Parameters:
  ///   - folder: what the path of a lock file is relative to.
  ///   - takesNearest: whether the nearest known release stands for a later one.
  func client(
    in folder: String, within roots: TrustedRoots?, takesNearest: Bool
  ) throws(Mistake) -> (CacheClient, ReleaseOrigin) {
    var origin = ReleaseOrigin()
    var asked = text
    var file: AppLockFile?
    if isFile {
      do throws(Mistake) {
        let lock = try AppLockFile(PathText.joined(text, to: folder), within: roots)
        guard let version = try lock.version(of: library) else {
          throw lock.mistake("\(library.title) is not in it", help: "is this the file of the app?")
        }
        (file, origin.file, asked) = (lock, lock.path, version)
      } catch {
        throw Mistake(place, error.message, help: error.help)
      }
    }
    func placed(_ message: String, help: String) -> Mistake {
      Mistake(place, file?.mistake(message).message ?? message, help: help)
    }
    func client(_ release: Release) -> CacheClient { CacheClient(name: library.name, release: release) }
    let shown = Mistake.shown(asked)
    let release: Release
    do throws(Mistake) { release = try library.release(asked) } catch {
      guard let nearest = library.nearest(to: asked), takesNearest else {
        let nearest = library.nearest(to: asked).map { "; --nearest-release takes \($0) for it" } ?? ""
        // The sentence holds the text as typed, which may be anything.
        throw placed(
          error.message.replacing(asked, with: shown),
          help: "a major version, \(library.majorsInWords), or a release\(nearest)")
      }
      origin.caution = placed(
        "\(library.title) \(shown) is not known here; \(nearest) stands for it", help: Self.caution)
      (origin.asked, origin.isNearest, origin.rules) = (asked, true, library.rules(of: nearest))
      return (client(nearest), origin)
    }
    let rules = library.rules(of: release)
    let isCandidate = library.candidates[release.major] != nil
    if let alias { try check(alias, rules, asked) }
    if ReleaseText(asked)?.prerelease.isEmpty == false { origin.asked = asked }
    guard let rules else { return (client(release), origin) }
    if takesNearest, !isCandidate {
      (origin.asked, origin.isNearest) = (asked, true)
      return (client(rules), origin)
    }
    origin.rules = rules
    if alias == nil {
      origin.caution = placed(
        "\(library.title) \(shown) is "
          + (isCandidate
            ? "planned by what is public of its release candidate, with the keys of \(rules)"
            : "not known here; it is taken for one with the rules of \(rules)"),
        help: (isCandidate ? library.candidateNote : Self.caution)
          + "; 'as \(rules)' behind it says that you know")
    }
    return (client(release), origin)
  }

  private static let caution = "compare a key and a file name with the app's own, or look for a newer Preheat"

  private func check(
    _ alias: (text: String, place: Int), _ rules: Release?, _ asked: String
  ) throws(Mistake) {
    let named = try? library.release(alias.text)
    if let rules, named == rules { return }
    let title = "\(library.title) \(Mistake.shown(asked)) is "
    throw Mistake(
      alias.place,
      title + (rules.map { "planned by the rules of \($0)" } ?? "known here, so it is as itself"),
      help: rules.map { "as \($0)" } ?? "leave out 'as' and what follows it")
  }
}

/// Where a client's release comes from, if not from the job or the flag itself.
package struct ReleaseOrigin: Sendable, Hashable {
  /// The app's lock file.
  package internal(set) var file: String?
  /// The release that was asked for, where the client has another: that which the pre-release leads to, or the nearest.
  package internal(set) var asked: String?
  fileprivate(set) var isNearest = false
  /// The known release whose rules a later one is taken to have.
  package internal(set) var rules: Release?
  /// The warning of a release that is not known.
  package internal(set) var caution: Mistake?

  /// The job or the flag says the release itself.
  package var isWritten: Bool { file == nil && !isNearest }

  /// `nuke 12.9.0, from ../App/Package.resolved`; nil where there is nothing to tell.
  package func note(_ client: CacheClient) -> String? {
    if isNearest, let asked {
      return "\(client), the nearest known release to \(asked)\(file.map { " of \($0)" } ?? "")"
    }
    if file == nil, rules == nil, asked == nil { return nil }
    let rules = rules.map { ", not known here, by the rules of \($0)" } ?? ""
    return
      "\(asked.map { "\(client.name) \($0)" } ?? "\(client)")\(file.map { ", from \($0)" } ?? "")\(rules)"
  }
}
