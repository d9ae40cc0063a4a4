import Foundation

/// Mounts of a command's own, which nobody else sees, where the system allows them.
enum Mounts {
  static let arePossible = Tracing.succeeds(["unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"])

  /// Runs a command while a folder and all in it cannot be written.
  static func readOnly(_ folder: String) -> [String] {
    [
      "unshare", "-m", "sh", "-c",
      "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\"",
    ]
      + [folder]
  }

  /// Runs a command while a folder is a disk on which all room is taken.
  static func full(_ folder: String) -> [String] {
    let script =
      "mount -t tmpfs -o size=4k tmpfs \"$0\" && head -c 4096 /dev/zero > \"$0/taken\" && exec \"$@\""
    return ["unshare", "-m", "sh", "-c", script, folder]
  }
}
