import FileStore
import Foundation
import Text

extension Doctor {
  private static let leastFreeBytes = 1 << 30

  /// The file system of the cache: what it is, how much is free, and whether files can be published on it
  /// as a run does, by writing, `syncfs` and renaming.
  package func disk() -> [Finding] {
    let place = existingFolder()
    return [fileSystem(place), space(place), publishing(place)]
  }

  /// The folder itself or the nearest one above it that is there.
  private func existingFolder() -> String {
    var place = PathText.absolute(folder)
    while place != "/", !OutputFile.isFolder(place) { place = PathText.folder(of: place) }
    return place
  }

  private func fileSystem(_ place: String) -> Finding {
    guard let name = Self.fileSystemName(of: place) else {
      return Finding("file-system", "not known at \(place)")
    }
    let text = "\(name) at \(place)"
    guard Self.isRemote(name) else { return Finding("file-system", text) }
    return Finding(
      "file-system", text, .warning,
      advice: "build on a local disk and copy the cache: locks and the ledger need one")
  }

  /// `fuseblk` is a local disk with NTFS or exFAT.
  static func isRemote(_ name: String) -> Bool {
    let known = ["nfs", "cifs", "smb", "fuse", "9p", "ceph", "afs"]
    return name != "fuseblk" && known.contains { name.hasPrefix($0) }
  }

  /// The type of the mount that holds a folder (proc(5), `mountinfo`).
  private static func fileSystemName(of place: String) -> String? {
    guard let path = SystemCall.realPath(place),
      let text = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    else { return nil }
    var best: (point: String, name: String)?
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count > 6, let dash = fields.dropFirst(6).firstIndex(of: "-"), dash + 1 < fields.count
      else { continue }
      let point = fields[4]
      let holds = (path + "/").utf8.starts(with: (point == "/" ? point : point + "/").utf8)
      // Of two mounts at one place the later one covers the other.
      if holds, point.utf8.count >= best?.point.utf8.count ?? 0 { best = (point, fields[dash + 1]) }
    }
    return best?.name
  }

  private func space(_ place: String) -> Finding {
    var status = statvfs()
    guard statvfs(place, &status) == 0 else { return Finding("disk-space", SystemCall.words(), .error) }
    let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    let text = "\(free >> 20) MiB free, \(status.f_favail) files"
    let isTight = free < Self.leastFreeBytes || (status.f_files > 0 && status.f_favail < 10_000)
    return Finding(
      "disk-space", text, isTight ? .warning : .ok,
      advice: isTight ? "free some space, or use another disk" : nil)
  }

  private func publishing(_ place: String) -> Finding {
    let folder = URL(fileURLWithPath: place).appendingPathComponent(".preheat-doctor-\(UUID().uuidString)")
    guard mkdir(folder.path, 0o700) == 0 else {
      let isReadOnly = errno == EROFS
      return Finding(
        "publishing", "\(place) cannot be written: \(SystemCall.words())", .error,
        advice: isReadOnly
          ? "mount a folder that can be written, and put the cache into it"
          : "allow the user to write there, or use another cache folder")
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    do throws(FileStoreError) {
      let store = try FileStore(folder: folder)
      let file = try store.stage(Data("preheat".utf8), as: "entry")
      try store.synchronize([file])
      try store.publish(file)
    } catch {
      return Finding("publishing", error.description, .error, advice: "use another cache folder")
    }
    return Finding("publishing", "write, syncfs and rename work")
  }
}
