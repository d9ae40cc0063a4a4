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
      throw isFile
        ? Mistake(
          place, "the app's lock file is missing", help: "\(library.name) from ../App/Package.resolved")
        : Mistake(
          place, "the client's version is missing", help: "\(library.name) \(library.majors.upperBound)")
    }
    try scanner.expectEnd(
      help: isFile ? "put a path with white space in double quotes" : "client \(ClientRegistry.example)")
  }

  /// The client with its release.
  ///
  /// - Parameters:
  ///   - folder: what the path of a lock file is relative to.
  ///   - takesNearest: whether the nearest known release stands for a later one.
  ///   - warn: receives what is not a mistake.
  func client(
    in folder: String, within roots: TrustedRoots?, takesNearest: Bool, warn: (Mistake) -> Void
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
    var refusal: Mistake?
    var nearest: Release?
    do throws(Mistake) {
      let release = try library.release(asked)
      nearest = library.knownPatch(before: release)
      if let nearest, !takesNearest {
        warn(
          placed(
            "\(library.title) \(asked) is not known here; it is taken for one with the rules of \(nearest)",
            help: "compare a key and a file name with the app's own, or look for a newer Preheat"))
        origin.rules = nearest
      }
      if nearest == nil || !takesNearest { return (client(release), origin) }
    } catch {
      (refusal, nearest) = (error, library.nearest(to: asked))
    }
    if takesNearest, let nearest {
      origin.asked = asked
      return (client(nearest), origin)
    }
    // The sentence holds the text as typed, which may be anything.
    throw placed(
      (refusal?.message ?? "").replacing(asked, with: Mistake.shown(asked)),
      help: "a major version, \(library.majorsInWords), or a release"
        + (nearest.map { "; --nearest-release takes \($0) for it" } ?? ""))
  }

  private func client(_ release: Release) -> CacheClient { CacheClient(name: library.name, release: release) }
}

/// Where a client's release comes from, if not from the job or the flag itself.
package struct ReleaseOrigin: Sendable, Hashable {
  /// The app's lock file.
  package internal(set) var file: String?
  /// The release that the nearest known one stands for.
  package internal(set) var asked: String?
  /// The known release whose rules a later patch is taken to have.
  package internal(set) var rules: Release?

  /// The job or the flag says the release itself.
  package var isWritten: Bool { file == nil && asked == nil }

  /// `nuke 12.9.0, from ../App/Package.resolved`; nil where there is nothing to tell.
  package func note(_ client: CacheClient) -> String? {
    let rules = rules.map { ", not known here, by the rules of \($0)" } ?? ""
    return switch (file, asked) {
    case (nil, nil): rules.isEmpty ? nil : "\(client)\(rules)"
    case (let file?, nil): "\(client), from \(file)\(rules)"
    case (let file?, let asked?): "\(client), the nearest known release to \(asked) of \(file)"
    case (nil, let asked?): "\(client), the nearest known release to \(asked)"
    }
  }
}
