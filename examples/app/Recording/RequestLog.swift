import Foundation

/// What an app asks its image cache for: one JSON object a line, for `preheat init` and `preheat replay`.
///
/// For debug builds: it writes URLs, which may hold what nobody else should see.
final class RequestLog: Sendable {
  /// Where the picture came from.
  enum Found: String, Encodable, Sendable {
    case memory, disk, none
  }

  private struct Line: Encodable {
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

  /// - Parameter file: by default `requests.ndjson` in the app's Caches folder. Requests are added to what is there.
  init(file: URL? = nil) {
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    self.file =
      file ?? (caches ?? FileManager.default.temporaryDirectory).appendingPathComponent("requests.ndjson")
  }

  func add(key: String, url: String? = nil, id: String? = nil, found: Found, options: [String] = []) {
    let line = Line(key: key, url: url, id: id, found: found, options: options.isEmpty ? nil : options)
    queue.async { [file] in
      guard let text = try? JSONEncoder().encode(line) else { return }
      if !FileManager.default.fileExists(atPath: file.path) {
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      }
      guard let handle = try? FileHandle(forWritingTo: file) else { return }
      handle.seekToEndOfFile()
      handle.write(text + Data("\n".utf8))
      handle.closeFile()
    }
  }

  /// Waits until all lines are in the file.
  func flush() { queue.sync {} }
}
