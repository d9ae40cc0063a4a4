import Concurrency
import FileStore
import Foundation
import Text

/// Downloads that survive a failed or killed process: large bodies are written to disk while they come in,
/// and the next request for the same URL with the same credentials goes on where they end.
///
/// A body is resumed only under a strong validator that the server confirms, so it is never joined
/// from two versions (RFC 9110, sections 13.1.5 and 15.3.7). One process at a time may use a folder: `NAME.part` has the
/// bytes so far, `NAME.head` what they are. Names are digests, so no URL is on disk.
package final class PartialDownloads: Sendable {
  /// Bytes that unfinished bodies may take on disk when a folder is opened: 1 GiB.
  static let defaultDiskCapacity = 1 << 30
  /// Shorter beginnings are not worth a file.
  static let leastBytes = 64 << 10
  /// Older files belong to pictures that no job asks for any more.
  private static let maxAge: TimeInterval = 14 * 86_400

  let accepts: @Sendable ([UInt8]) -> Bool
  private let files: FileStore
  /// Names of the unfinished bodies. Most downloads need no look at the folder.
  private let names: Locked<Set<String>>
  /// Downloads under way; a second one of the same body keeps nothing.
  private let claims = Locked<Set<String>>([])

  /// - Parameters:
  ///   - folder: created if it is not there; all files in it are the downloads'.
  ///   - accepts: whether a body that begins with these bytes is worth keeping.
  /// - Throws: `FileStoreError` if the folder cannot be created or listed.
  package init(
    folder: URL, diskCapacity: Int = PartialDownloads.defaultDiskCapacity,
    accepts: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
  ) throws(FileStoreError) {
    self.accepts = accepts
    files = try FileStore(folder: folder, isPrivate: true)
    try files.removeAbandonedTemporaries()
    names = Locked(
      Set(try Self.sweep(files, mostBytes: diskCapacity).map { String($0.prefix { $0 != "." }) }))
  }

  /// Fetches a request through a loader, from where an earlier one broke off. A download that breaks off is gone on with
  /// as often as the loader's configuration allows retries.
  ///
  /// - Throws: ``HTTPFailure``; what had come by then is on disk.
  package func load(
    _ request: HTTPRequest, through loader: HTTPLoader
  ) async throws(HTTPFailure) -> HTTPResponse {
    let name = HTTPCache.name(of: request)
    let asksForRange = request.headers.contains { ["range", "if-range"].contains($0.name.lowercased()) }
    guard !asksForRange, claims.withLock({ $0.insert(name).inserted }) else {
      return try await loader.load(request)
    }
    defer { claims.withLock { _ = $0.remove(name) } }
    let file = PartialFile(name, of: self)
    var pause = loader.configuration.retryDelay
    for _ in 0..<max(0, loader.configuration.retries) {
      do throws(HTTPFailure) {
        return try await attempt(request, loader, file)
      } catch {
        guard error.isRetryable, error.partialBody != nil, error.code != .cancelled else { throw error }
      }
      // A cancelled sleep ends at once, and the loader then reports the cancellation.
      try? await Task.sleep(for: pause)
      pause *= 2
    }
    return try await attempt(request, loader, file)
  }

  private func attempt(
    _ request: HTTPRequest, _ loader: HTTPLoader, _ file: PartialFile
  ) async throws(HTTPFailure) -> HTTPResponse {
    if let resumed = file.resumable() {
      let response = try await resumed.load(request) { (rest) async throws(HTTPFailure) in
        try await loader.load(rest, sink: file.take)
      }
      file.remove()
      if let response { return response }
    }
    let response = try await loader.load(request, sink: file.take)
    file.remove()
    return response
  }
}

// MARK: - The folder

extension PartialDownloads {
  /// Nil, with both files removed, where they do not match each other or this system start.
  func read(_ name: String) -> (head: PartialHead, bytes: [UInt8])? {
    guard names.withLock({ $0.contains(name) }), let text = try? files.read(name + ".head") else {
      return nil
    }
    guard let head = PartialHead(text: String(decoding: text, as: UTF8.self)), head.boot == SystemFile.boot,
      let bytes = try? files.read(name + ".part"), !bytes.isEmpty, bytes.count < head.total
    else {
      remove(name)
      return nil
    }
    return (head, [UInt8](bytes))
  }

  func save(_ head: PartialHead, as name: String) -> Bool {
    names.withLock { _ = $0.insert(name) }
    return (try? files.write(Data(head.text.utf8), as: name + ".head")) != nil
  }

  /// A descriptor at the end of the bytes that are to be kept, -1 if it cannot be had.
  func openPart(_ name: String, keeping count: Int) -> Int32 {
    guard let path = files.url(for: name + ".part")?.path else { return -1 }
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, off_t(count)) == 0,
      lseek(descriptor, off_t(count), SEEK_SET) == off_t(count)
    else {
      if descriptor >= 0 { close(descriptor) }
      return -1
    }
    return descriptor
  }

  func remove(_ name: String) {
    guard names.withLock({ $0.remove(name) != nil }) else { return }
    for ending in [".head", ".part"] { try? files.remove(name + ending) }
  }

  /// Removes old files and the oldest ones beyond the limit, and returns the names of the others.
  private static func sweep(_ files: FileStore, mostBytes: Int) throws(FileStoreError) -> [String] {
    var bytes = 0
    return try files.entries().sorted { $0.modificationDate > $1.modificationDate }.compactMap { entry in
      bytes += entry.allocatedSize
      guard bytes > mostBytes || -entry.modificationDate.timeIntervalSinceNow > maxAge else {
        return entry.name
      }
      try? files.remove(entry.name)
      return nil
    }
  }
}
