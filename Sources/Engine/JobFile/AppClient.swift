import ClientRegistry
import Foundation
import Syntax
import Text

/// A client of this program in an app's lock file.
package struct AppClient: Sendable, Hashable {
  /// The word of jobs.
  package var name: String
  package var file: String
  package var version = ""

  package init(name: String, file: String, version: String = "") {
    (self.name, self.file, self.version) = (name, file, version)
  }

  /// As a job says it.
  package var text: String { "\(name) from \(JobWord.text(file))" }

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
      var found: [AppClient] = []
      for file in files {
        let lock = try AppLockFile(file, within: roots)
        for library in ClientRegistry.libraries {
          guard let version = try lock.version(of: library) else { continue }
          found.append(AppClient(name: library.name, file: file, version: version))
        }
      }
      guard let first = found.first else { continue }
      if found.allSatisfy({ $0.name == first.name && $0.version == first.version }) { return first }
      let list = found.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
      // The whole path, as a shell takes it.
      let choices = found.map { "--client '\(SafeText.escape($0.text).replacing("'", with: "'\\''"))'" }
      throw Mistake(
        0, "the app has several: \(list)", help: "say which: \(choices.joined(separator: " or "))")
    }
    throw Mistake(
      0, "which image library has the app? No lock file names one",
      help: "name the app's Package.resolved or Podfile.lock, or --client '\(ClientRegistry.example)'")
  }
}

extension JobSettings {
  /// What to print of the client's release: where it was found, or that lock files in the job's folder and, inside a
  /// repository, above it have another one.
  package var releaseNote: String? {
    let note = origin.note(client)
    guard origin.isWritten, path != "-", let library = ClientRegistry.library(named: client.name) else {
      return note
    }
    let files = AppLockFile.files(from: PathText.folder(of: path), within: given.trust.roots)
    let others = files.joined().compactMap { file -> String? in
      guard let version = try? AppLockFile(file, within: given.trust.roots).version(of: library),
        version != origin.asked ?? "\(client.release)"
      else { return nil }
      return "\(PathText.relative(file, to: ".")) has \(version)"
    }
    return others.isEmpty ? note : "\(note ?? "\(client)"), but \(others.joined(separator: ", "))"
  }
}

extension AppLockFile {
  /// Lock files in a folder and, inside a repository, in those above it; a list for each folder that has some.
  static func files(from folder: String, within roots: TrustedRoots?) -> [[String]] {
    let own = PathText.absolute(folder)
    var folders = [own]
    while let last = folders.last, last != "/", !exists(last + "/.git") {
      folders.append(PathText.folder(of: last))
    }
    if folders.last == "/" { folders = [own] }
    return folders.map { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().flatMap { name in
        switch true {
        case Self.names.contains(name): [name]
        case name.hasSuffix(".xcworkspace"): ["\(name)/xcshareddata/swiftpm/Package.resolved"]
        case name.hasSuffix(".xcodeproj"):
          ["\(name)/project.xcworkspace/xcshareddata/swiftpm/Package.resolved"]
        case name == "Tuist": ["Tuist/Package.resolved"]
        default: [String]()
        }
      }.map { PathText.joined($0, to: folder) }.filter { exists($0) && roots?.holds($0) ?? true }
    }.filter { !$0.isEmpty }
  }

  private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
