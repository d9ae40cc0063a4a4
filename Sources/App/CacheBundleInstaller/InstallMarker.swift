import FileStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What was installed into a folder, remembered beside it and never in it: a client takes every file in its folder
/// for an entry.
///
/// Lines: the bundle's id, `client nuke 12.9.0`, then a digest, a space and a name for each file. An app reads the
/// beginning alone at each launch.
struct InstallMarker: Hashable, Sendable {
  /// The bundle's id; nil while an installation is on its way, or none was.
  var id: String?
  /// Digests of what bundles brought, by name: two where an installation was killed between an old file and a
  /// new one.
  var files: [String: Set<String>]
  /// Whose cache was installed last.
  var client: BundleClient?

  init(id: String?, files: [String: Set<String>], client: BundleClient? = nil) {
    self.id = id
    self.files = files
    self.client = client
  }

  static let empty = InstallMarker(id: nil, files: [:])

  static func name(of folder: URL) -> String { folder.lastPathComponent + ".preheat-bundle" }

  private static let idLength = 64
  /// What stands in the id's place while an installation is on its way.
  private static let unfinished = String(repeating: "-", count: idLength)
  private static let maxBytes = 256 << 20
  private static let clientWord = "client "
  /// A name of up to 40 letters and a version.
  private static let longestClient = 120

  private static func path(beside folder: URL) -> String {
    folder.deletingLastPathComponent().appendingPathComponent(name(of: folder)).path
  }

  /// The installed bundle's id, from the marker's beginning.
  static func id(beside folder: URL) -> String? {
    let line = PlainFile.beginning(of: path(beside: folder), count: idLength + 1)
    guard let line, line.count == idLength + 1, line.last == UInt8(ascii: "\n") else { return nil }
    let id = String(decoding: line.dropLast(), as: UTF8.self)
    return id == unfinished ? nil : id
  }

  /// The client of the installed bundle, from the marker's beginning; nil where an older installer wrote it.
  static func client(beside folder: URL) -> BundleClient? {
    let data = PlainFile.beginning(of: path(beside: folder), count: idLength + 1 + longestClient)
    guard let line = data?.split(separator: UInt8(ascii: "\n")).dropFirst().first,
      line.starts(with: clientWord.utf8), line.count < longestClient
    else { return nil }
    return BundleClient(text: String(decoding: line.dropFirst(clientWord.utf8.count), as: UTF8.self))
  }

  /// A marker that makes no sense is none: then every file is compared.
  static func read(beside folder: URL) -> InstallMarker {
    let path = path(beside: folder)
    guard let data = try? PlainFile.read(path, named: path, limit: maxBytes) else { return .empty }
    var marker = InstallMarker(id: id(beside: folder), files: [:])
    for line in data.split(separator: UInt8(ascii: "\n")).dropFirst() {
      guard line.count > idLength + 1 else { continue }
      let digest = String(decoding: line.prefix(idLength), as: UTF8.self)
      marker.files[String(decoding: line.dropFirst(idLength + 1), as: UTF8.self), default: []].insert(digest)
    }
    return marker
  }

  /// - Parameter staging: where the unfinished file lies; the next installation clears what a kill leaves there.
  func write(beside folder: URL, staging: URL, calls: FileCalls = .system) throws(FileStoreError) {
    var text = (id ?? Self.unfinished) + "\n"
    // Shorter than a digest's line, so that an older installer passes over it.
    if let client, client.text.utf8.count + Self.clientWord.utf8.count <= Self.idLength {
      text += Self.clientWord + client.text + "\n"
    }
    for (file, digests) in files.sorted(by: { $0.key < $1.key }) {
      for digest in digests.sorted() { text += "\(digest) \(file)\n" }
    }
    try FileStore(folder: folder.deletingLastPathComponent(), temporaryFolder: staging, calls: calls)
      .write(Data(text.utf8), as: Self.name(of: folder))
  }
}

/// Keeps an app and its extension from installing into one folder at a time. It is a lock on the folder of unfinished
/// files, and the kernel lets go of it however the process ends.
struct InstallLock {
  private let descriptor: Int32

  /// Makes the folder and waits for it.
  ///
  /// - Throws: ``BundleFailure`` with `write` where something else is in its place, `busy` where the other
  ///   installation takes longer than an app's launch may.
  init(folder path: String, patience: Int = 10) throws(BundleFailure) {
    for _ in 0...(patience * 100) {
      if let descriptor = try Self.take(path) {
        self.descriptor = descriptor
        return
      }
      usleep(10_000)
    }
    throw BundleFailure(.busy, "another process is installing into the same folder; try again later")
  }

  /// Nil where another has it.
  private static func take(_ path: String) throws(BundleFailure) -> Int32? {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw BundleFailure(.write, "the folder \(path) cannot be made")
    }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw BundleFailure(.write, "\(path) is a link or no folder; remove it")
    }
    // Who had the lock before has removed the folder; the lock of a removed one keeps nobody off.
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isStill(path, descriptor) { return descriptor }
    close(descriptor)
    return nil
  }

  private static func isStill(_ path: String, _ descriptor: Int32) -> Bool {
    var (there, here) = (stat(), stat())
    return lstat(path, &there) == 0 && fstat(descriptor, &here) == 0
      && there.st_ino == here.st_ino && there.st_dev == here.st_dev
  }

  /// Removes the empty folder of an installation that was killed after its last step, unless another is at work in it.
  static func removeAbandoned(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isStill(path, descriptor) { rmdir(path) }
  }

  func release() { close(descriptor) }
}
