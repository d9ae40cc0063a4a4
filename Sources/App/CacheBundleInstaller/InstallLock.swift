import Foundation

/// Keeps an app and its extension from installing into one folder at a time. It is a lock on the folder of unfinished
/// files, and the kernel releases it however the process ends.
struct InstallLock {
  private let descriptor: Int32

  /// Makes the folder and waits for it.
  ///
  /// - Parameters:
  ///   - patience: seconds.
  ///   - control: what cancels the waiting.
  /// - Throws: ``BundleFailure`` with `write` where something else is in its place, `busy` where the other
  ///   installation takes longer than an app's launch may.
  init(
    folder path: String, patience: Int = 10, control: InstallControl? = nil
  ) throws(BundleFailure) {
    for _ in 0...(patience * 100) {
      try control?.check()
      let made: Void? = try? FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
      guard made != nil else { throw BundleFailure(.write, "the folder \(path) cannot be made") }
      if let descriptor = try Self.take(path) {
        self.descriptor = descriptor
        return
      }
      usleep(10_000)
    }
    throw BundleFailure(.busy, "another process is installing into the same folder; try again later")
  }

  /// Nil where another has it, or where there is none.
  private static func take(_ path: String) throws(BundleFailure) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw BundleFailure(.write, "\(path) is a link or no folder; remove it")
    }
    // The last holder has removed the folder; the lock of a removed folder excludes no process.
    var (there, here) = (stat(), stat())
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, lstat(path, &there) == 0, fstat(descriptor, &here) == 0,
      there.st_ino == here.st_ino, there.st_dev == here.st_dev
    {
      return descriptor
    }
    close(descriptor)
    return nil
  }

  /// Removes the folder of an installation that was killed, unless another is at work in it.
  static func removeAbandoned(_ path: String) {
    guard let descriptor = try? take(path) else { return }
    try? FileManager.default.removeItem(atPath: path)
    close(descriptor)
  }

  func release() { close(descriptor) }
}
