import ClientRegistry
import Syntax
import Text

/// A client of this program in an app's lock file.
package struct AppClient: Sendable, Hashable {
  /// The word of jobs.
  package var name: String
  package var file: String
  package var version: String

  package init(name: String, file: String, version: String) {
    (self.name, self.file, self.version) = (name, file, version)
  }

  /// As a job says it.
  package var text: String { "\(name) from \(JobWord.text(file))" }

  /// Those that lock files name.
  ///
  /// - Throws: what is wrong with a file, or with what it says of a client.
  package static func all(in files: [String], within roots: TrustedRoots?) throws(Mistake) -> [AppClient] {
    var found: [AppClient] = []
    for file in files {
      do throws(LockFileFault) {
        let lock = try AppLockFile(file, within: roots)
        for library in ClientRegistry.libraries {
          guard let pin = try lock.pin(of: library) else { continue }
          found.append(AppClient(name: library.name, file: file, version: pin.version))
        }
      } catch {
        throw Mistake(0, error.description, help: error.help)
      }
    }
    return found
  }

  /// The only client of an app.
  ///
  /// - Parameters:
  ///   - files: the app's lock files; where there are none, those in the folder and, inside a repository, above it.
  ///   - folder: where they are looked for.
  package static func only(
    in files: [String], near folder: String, within roots: TrustedRoots?
  ) throws(Mistake) -> AppClient {
    let places = files.isEmpty ? AppLockFile.files(from: folder, within: roots) : [files]
    for files in places {
      let found = try all(in: files, within: roots)
      guard let first = found.first else { continue }
      guard found.allSatisfy({ $0.name == first.name && $0.version == first.version }) else {
        let list = found.map { "\($0.name) \(Mistake.shown($0.version)) (\(Mistake.shown($0.file)))" }
        throw Mistake(
          0, "the app has several: \(list.joined(separator: ", "))",
          help: "say which: --client '\(first.name) from \(Mistake.shown(first.file))'")
      }
      return first
    }
    let known = ClientRegistry.libraries.map(\.title).joined(separator: ", ")
    let all = places.flatMap { $0 }
    throw Mistake(
      0,
      all.isEmpty
        ? "which image library has the app? There is no lock file here"
        : "none of \(known) is in \(all.map { Mistake.quote($0) }.joined(separator: ", "))",
      help: "name the app's Package.resolved or Podfile.lock, or --client "
        + "'\(ClientRegistry.example)'")
  }
}
