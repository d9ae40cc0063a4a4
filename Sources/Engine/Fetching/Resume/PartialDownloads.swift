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
    let asksForRange = request.headers.contains { $0.isNamed("Range") || $0.isNamed("If-Range") }
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
      if let response {
        file.remove()
        return response
      }
    }
    let response = try await loader.load(request, sink: file.take)
    file.remove()
    return response
  }

  // MARK: - The folder

  /// Nil, with both files removed, where they do not match each other or this system start.
  func read(_ name: String) -> (head: PartialHead, bytes: [UInt8])? {
    guard names.withLock({ $0.contains(name) }), let text = try? files.read(name + ".head") else {
      return nil
    }
    guard let head = PartialHead(text: String(decoding: text, as: UTF8.self)), head.boot == SystemFile.boot,
      let bytes = try? files.read(name + ".part", most: head.total), !bytes.isEmpty, bytes.count < head.total
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

/// One body that is written down while it comes in. Used by one download at a time.
///
/// If the file cannot be written, the download goes on in memory, without it.
final class PartialFile: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var head: PartialHead?
    var count = 0
  }

  private let folder: PartialDownloads
  private let name: String
  private let state = Locked(State())

  init(_ name: String, of folder: PartialDownloads) {
    self.folder = folder
    self.name = name
  }

  deinit { state.withLock { Self.closeFile(&$0) } }

  /// The beginning of the body as an earlier download left it.
  func resumable() -> ResumedDownload? {
    guard let (head, bytes) = folder.read(name) else { return nil }
    state.withLock {
      $0.head = head
      $0.count = bytes.count
    }
    return ResumedDownload(
      part: HTTPPartialBody(status: 200, bytes: bytes, validator: head.validator), total: head.total)
  }

  /// Takes the next piece of an answer. An answer that is not the rest of what is there replaces it.
  func take(_ chunk: HTTPBodyChunk) {
    state.withLock { state in
      if chunk.offset == 0 { begin(chunk, &state) }
      // Without a file nothing of the current answer is kept.
      guard state.descriptor >= 0 else { return }
      guard chunk.bytes.withUnsafeBytes({ SystemCall.write(state.descriptor, $0) }) else {
        return drop(&state)
      }
      state.count += chunk.bytes.count
    }
  }

  /// The body is complete, or its beginning is useless.
  func remove() { state.withLock { drop(&$0) } }

  private func begin(_ chunk: HTTPBodyChunk, _ state: inout State) {
    if chunk.status == 206, let head = state.head {
      let part = HTTPPartialBody(status: 200, bytes: [], validator: head.validator)
      let resumed = ResumedDownload(part: part, total: head.total)
      if resumed.isRest(chunk.fields, from: state.count) {
        if state.descriptor < 0 { state.descriptor = folder.openPart(name, keeping: state.count) }
        return
      }
    }
    drop(&state)
    // Beginnings that are short come again sooner than they are looked up.
    guard chunk.bytes.count >= PartialDownloads.leastBytes, folder.accepts(chunk.bytes),
      let head = PartialHead(chunk, boot: SystemFile.boot), folder.save(head, as: name)
    else { return }
    state.head = head
    state.descriptor = folder.openPart(name, keeping: 0)
  }

  private func drop(_ state: inout State) {
    Self.closeFile(&state)
    folder.remove(name)
    state.head = nil
    state.count = 0
  }

  private static func closeFile(_ state: inout State) {
    if state.descriptor >= 0 { close(state.descriptor) }
    state.descriptor = -1
  }
}

/// The facts that are needed to resume a body; on disk a line each.
struct PartialHead: Sendable, Hashable {
  /// A strong `ETag`, or a `Last-Modified` that is as good as one.
  var validator: String
  var total: Int
  /// The system start at which it was written. After another one the end of the file may be missing.
  var boot: String

  private static let title = "preheat partial 1"
}

extension PartialHead {
  /// Nil where an answer cannot be gone on with for certain: no ranges, no length, no strong validator.
  init?(_ chunk: HTTPBodyChunk, boot: String) {
    guard chunk.status == 200, let length = chunk.announcedLength, length > 0,
      chunk.fields.value("Accept-Ranges")?.lowercased() == "bytes",
      chunk.fields.areOfPlainBody, let validator = chunk.fields.strongValidator
    else { return nil }
    self.init(validator: validator, total: Int(length), boot: boot)
  }

  init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 5, lines[0] == Self.title, let total = Int(lines[2]), total > 0, lines[4].isEmpty
    else { return nil }
    self.init(validator: lines[1], total: total, boot: lines[3])
  }

  var text: String { "\(Self.title)\n\(validator)\n\(total)\n\(boot)\n" }
}
