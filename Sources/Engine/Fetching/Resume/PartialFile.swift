import Concurrency
import Foundation
import Text

/// One body that is written down while it comes in. Used by one download at a time.
///
/// If the file cannot be written, the download goes on in memory, without it.
final class PartialFile: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var head: PartialHead?
    var count = 0
    /// Nothing of the current answer is kept.
    var isIgnored = false
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
      guard !state.isIgnored, state.descriptor >= 0 else { return }
      guard chunk.bytes.withUnsafeBytes({ SystemCall.write(state.descriptor, $0) }) else {
        return drop(&state)
      }
      state.count += chunk.bytes.count
    }
  }

  /// The body is complete, or its beginning is useless.
  func remove() { state.withLock { drop(&$0) } }

  private func begin(_ chunk: HTTPBodyChunk, _ state: inout State) {
    state.isIgnored = false
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
    state.isIgnored = false
    state.head = head
    state.descriptor = folder.openPart(name, keeping: 0)
  }

  private func drop(_ state: inout State) {
    Self.closeFile(&state)
    folder.remove(name)
    state.head = nil
    state.count = 0
    state.isIgnored = true
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
