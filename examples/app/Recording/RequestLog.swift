import Foundation

/// What an app asks its image cache for: one JSON object a line, for `preheat init` and `preheat replay`.
///
/// For debug builds: it writes URLs, which may hold what nobody else should see.
final class RequestLog: @unchecked Sendable {  // the queue guards what changes
  /// Where the picture came from.
  enum Found: String, Encodable, Sendable {
    case memory, disk, none
  }

  struct Line: Encodable, Sendable {
    var v = 1
    var type = "request"
    /// Seconds since 1970.
    var at = Date().timeIntervalSince1970
    var key: String
    var url: String?
    /// What the app gave in place of the URL.
    var id: String?
    var found: Found
    /// Of the request, by their names in the client, as far as they change what it looks up.
    var options: [String]?
  }

  let file: URL
  private let queue = DispatchQueue(label: "RequestLog", qos: .utility)
  private var waiting: [(due: DispatchTime, line: @Sendable () -> Line)] = []

  /// - Parameter file: by default `requests.ndjson` in the app's Caches folder. Requests are added to what is there.
  init(file: URL? = nil) {
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    self.file =
      file ?? (caches ?? FileManager.default.temporaryDirectory).appendingPathComponent("requests.ndjson")
  }

  func add(key: String, url: String? = nil, id: String? = nil, found: Found, options: [String] = []) {
    let line = Line(key: key, url: url, id: id, found: found, options: options.isEmpty ? nil : options)
    add(after: 0) { line }
  }

  /// Lines stand in the order in which they are added.
  ///
  /// - Parameters:
  ///   - delay: in seconds; until then the recorder may learn more of the request.
  ///   - line: called when the line is written.
  func add(after delay: Double, line: @escaping @Sendable () -> Line) {
    let due = DispatchTime.now() + delay
    queue.async { self.waiting.append((due, line)) }
    queue.asyncAfter(deadline: due) { self.write { $0 <= .now() } }
  }

  /// Waits until all lines are in the file.
  func flush() { queue.sync { write { _ in true } } }

  private func write(_ isDue: (DispatchTime) -> Bool) {
    let lines = waiting.prefix { isDue($0.due) }
    waiting.removeFirst(lines.count)
    let texts = lines.compactMap { try? JSONEncoder().encode($0.line()) }
    guard !texts.isEmpty else { return }
    if !FileManager.default.fileExists(atPath: file.path) {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }
    guard let handle = try? FileHandle(forWritingTo: file) else { return }
    handle.seekToEndOfFile()
    for text in texts { handle.write(text + Data("\n".utf8)) }
    handle.closeFile()
  }
}
