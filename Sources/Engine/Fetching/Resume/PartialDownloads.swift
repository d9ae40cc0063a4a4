import Concurrency
import FileStore
import Foundation
import Text

/// Downloads that survive a failed or killed process: large bodies are written to disk while they come in,
/// and the next request for the same URL with the same credentials goes on where they end.
///
/// A body is resumed only under a strong validator that the server confirms, so it is never joined
/// from two versions (RFC 9110, sections 13.1.5 and 15.3.7). One process at a time may use a folder. Names are digests,
/// so no URL is on disk.
package final class PartialDownloads: Sendable {
  /// Bytes that unfinished bodies may take on disk when a folder is opened: 1 GiB.
  static let defaultDiskCapacity = 1 << 30
  /// Older files belong to pictures that no job asks for any more.
  private static let maxAge: TimeInterval = 14 * 86_400

  private let accepts: @Sendable ([UInt8]) -> Bool
  private let files: FileStore
  /// Downloads under way; a second one of the same body keeps nothing.
  private let claims = Locked<Set<String>>([])

  /// - Parameters:
  ///   - folder: created if it is not there; all files in it are the downloads'.
  ///   - accepts: whether a body that begins with these bytes is worth keeping.
  /// - Throws: `FileStoreError` if the folder cannot be created or listed.
  package init(
    folder: URL, diskCapacity: Int = PartialDownloads.defaultDiskCapacity, calls: FileCalls = .system,
    accepts: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
  ) throws(FileStoreError) {
    self.accepts = accepts
    files = try FileStore(folder: folder, isPrivate: true, calls: calls)
    try files.removeAbandonedTemporaries()
    // Old files go, and the oldest ones beyond the limit.
    var bytes = 0
    for entry in try files.entries().sorted(by: { $0.modificationDate > $1.modificationDate }) {
      bytes += entry.allocatedSize
      let isOld = -entry.modificationDate.timeIntervalSinceNow > Self.maxAge
      if isOld || bytes > diskCapacity { try? files.remove(entry.name) }
    }
  }

  /// Fetches a request through a loader, from where an earlier one broke off. A try that brought more of the body costs
  /// none of the loader's retries, for as long as one exchange may take.
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
    let settings = loader.configuration
    let file = PartialFile(files, name + ".part", accepts)
    var (failures, pause) = (0, settings.retryDelay)
    var end: ContinuousClock.Instant?
    while true {
      let count = file.count
      do throws(HTTPFailure) {
        return try await attempt(request, loader, file)
      } catch {
        end = end ?? .now + min(settings.totalTimeout, settings.maxRetryTime)
        let isFree = file.count > count && end.map { .now < $0 } ?? false
        (failures, pause) = isFree ? (failures, settings.retryDelay) : (failures + 1, pause * 2)
        guard error.isRetryable, error.cutBody != nil, error.code != .cancelled,
          failures <= settings.retries
        else { throw error }
      }
      // A cancelled sleep ends at once, and the loader then reports the cancellation.
      try? await Task.sleep(for: pause)
    }
  }

  private func attempt(
    _ request: HTTPRequest, _ loader: HTTPLoader, _ file: PartialFile
  ) async throws(HTTPFailure) -> HTTPResponse {
    let resumed: ResumedDownload?
    do throws(FileStoreError) {
      resumed = try file.resumable(most: request.maxBodyBytes ?? loader.configuration.maxBodyBytes)
    } catch {
      // What is there may be good another time.
      return try await loader.load(request)
    }
    var response = try await resumed?.load(request) { (rest) async throws(HTTPFailure) in
      try await loader.load(rest, sink: file.take)
    }
    if response == nil { response = try await loader.load(request, sink: file.take) }
    file.remove()
    guard let response else { throw .noHandle }
    return response
  }
}

/// One body that is written down while it comes in, behind lines with what is needed to go on with it. Used by one download
/// at a time. If the file cannot be written, the download goes on in memory, without it.
final class PartialFile: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var validator = ""
    var total = 0
    /// Bytes of the body that are in the file.
    var count = 0
  }

  /// Shorter beginnings are not worth a file.
  private static let leastBytes = 64 << 10
  private static let title = "preheat partial 2"
  /// More than the lines have.
  private static let mostHead = 64 << 10

  private let files: FileStore
  private let name: String
  private let accepts: @Sendable ([UInt8]) -> Bool
  private let state = Locked(State())

  init(_ files: FileStore, _ name: String, _ accepts: @escaping @Sendable ([UInt8]) -> Bool) {
    (self.files, self.name, self.accepts) = (files, name, accepts)
  }

  deinit { state.withLock { Self.closeFile(&$0) } }

  var count: Int { state.withLock { $0.count } }

  /// The beginning of the body as an earlier try left it. A file of another form is removed, and so is one of another start
  /// of the system: its end may be missing.
  ///
  /// - Throws: where it may be there and cannot be read.
  func resumable(most: Int) throws(FileStoreError) -> ResumedDownload? {
    let data: Data?
    do throws(FileStoreError) {
      data = try files.read(name, most: min(most, .max - Self.mostHead) + Self.mostHead)
    } catch {
      guard error.isTooLarge else { throw error }
      data = Data()
    }
    guard let data else { return nil }
    let parts = data.split(separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
    let lines = parts.prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 5, lines[0] == Self.title, lines[3] == SystemFile.boot, let total = Int(lines[2]),
      (1..<max(total, 1)).contains(parts[4].count)
    else {
      try? files.remove(name)
      return nil
    }
    state.withLock { ($0.validator, $0.total, $0.count) = (lines[1], total, parts[4].count) }
    return ResumedDownload(bytes: [UInt8](parts[4]), validator: lines[1], total: total)
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
    if state.count > 0, chunk.status == 206,
      chunk.fields.areOfRest(of: state.validator, total: state.total, from: state.count)
    {
      if state.descriptor < 0 { state.descriptor = openFile(O_APPEND) }
      return
    }
    drop(&state)
    // Beginnings that are short come again sooner than they are looked up. Without ranges, a length and a strong validator
    // no answer can be gone on with for certain.
    guard chunk.bytes.count >= Self.leastBytes, accepts(chunk.bytes), chunk.status == 200,
      let length = chunk.announcedLength, length > 0, let validator = chunk.fields.strongValidator,
      chunk.fields.value("Accept-Ranges")?.lowercased() == "bytes", chunk.fields.areOfPlainBody
    else { return }
    state.descriptor = openFile(O_CREAT | O_TRUNC)
    (state.validator, state.total) = (validator, Int(length))
    let head = Array("\(Self.title)\n\(validator)\n\(length)\n\(SystemFile.boot)\n".utf8)
    guard state.descriptor >= 0, head.withUnsafeBytes({ SystemCall.write(state.descriptor, $0) }) else {
      return drop(&state)
    }
  }

  private func openFile(_ flags: Int32) -> Int32 {
    guard let path = files.url(for: name)?.path else { return -1 }
    return open(path, flags | O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
  }

  private func drop(_ state: inout State) {
    if state.count > 0 || state.descriptor >= 0 { try? files.remove(name) }
    Self.closeFile(&state)
    state.count = 0
  }

  private static func closeFile(_ state: inout State) {
    if state.descriptor >= 0 { close(state.descriptor) }
    state.descriptor = -1
  }
}
