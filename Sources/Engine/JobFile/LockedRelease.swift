import ClientRegistry
import Foundation
import Text

/// What a lock file beside a job says of the job's client.
package struct LockedRelease: Sendable, Hashable {
  package var file: String
  /// The release; nil where the file does not tell it.
  package var version: String?
  /// Why it does not.
  package var fault: String?
}

extension JobSettings {
  /// What to print of the client's release: where it was found, or that a lock file beside the job has another one.
  package var releaseNote: String? {
    if let note = origin.note(client) { return note }
    let others = lockedReleases.filter { $0.version != nil && $0.version != "\(client.release)" }
    if others.isEmpty { return nil }
    return "\(client), but " + others.map { "\($0.file) has \($0.version ?? "")" }.joined(separator: ", ")
  }

  /// What the lock files beside the job say: in its folder and, inside a repository, in those above it.
  package var lockedReleases: [LockedRelease] {
    guard path != "-", let library = ClientRegistry.library(named: client.name) else { return [] }
    let files = AppLockFile.files(from: PathText.folder(of: path), within: trustedRoots)
    return files.joined().compactMap { file in
      let shown = PathText.relative(file, to: ".")
      do throws(LockFileFault) {
        return try AppLockFile(file, within: trustedRoots).pin(of: library).map {
          LockedRelease(file: shown, version: $0.version)
        }
      } catch {
        return LockedRelease(file: shown, fault: error.description)
      }
    }
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
        case formats.contains { $0.name == name }: [name]
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
