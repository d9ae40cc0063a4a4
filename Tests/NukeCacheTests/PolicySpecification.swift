@testable import NukeCache

/// A row of `nuke-policy.tsv` for an image of a URL; what Nuke does with closures and with requests for data alone is no
/// matter of a run.
struct PolicySpecification {
  var resource: String
  var request: RequestShape
  var policy: DataCachePolicy
  var from: NukeVersion
  /// The first version that the row no longer covers; nil where it goes on to the last.
  var end: NukeVersion?
  var lookups: String
  var stored: String

  struct Malformed: Error {
    var description: String
  }

  init?(row: [String: String]) throws {
    func column(_ name: String) throws -> String {
      guard let text = row[name] else { throw Malformed(description: "no column \(name)") }
      return text
    }
    resource = try column("resource")
    if ["closure", "image"].contains(resource) { return nil }
    if try column("request").hasPrefix("data") { return nil }
    request = try Self.request(try column("request"), options: try column("options"))
    guard let policy = DataCachePolicy(rawValue: try column("policy")) else {
      throw Malformed(description: "policy")
    }
    self.policy = policy
    from = try NukeVersion(parsing: try column("from_tag"))
    let last = try column("to_tag")
    end = last.hasPrefix("<") ? try NukeVersion(parsing: String(last.dropFirst())) : nil
    lookups = try column("lookups_cold_cache")
    stored = try column("stored")
  }

  func covers(_ version: NukeVersion) -> Bool {
    guard version >= from else { return false }
    return end.map { version < $0 } ?? true
  }

  func kind(_ version: NukeVersion) throws -> ResourceKind {
    switch resource {
    case "http", "file", "FILE": ResourceKind(urlText: resource + ":", version: version)
    case "data:": ResourceKind(urlText: "data:image/png;base64,AA==", version: version)
    default: throw Malformed(description: "resource \(resource)")
    }
  }

  private static func request(_ text: String, options: String) throws -> RequestShape {
    let words = text.split(separator: "+")
    let named: [String: RequestShape.Options] = [
      "-": [], "disableDiskCacheReads": .disableDiskCacheReads,
      "disableDiskCacheWrites": .disableDiskCacheWrites, "returnCacheDataDontLoad": .returnCacheDataDontLoad,
    ]
    guard words.first == "image", let options = named[options] else {
      throw Malformed(description: "request \(text)")
    }
    return RequestShape(
      hasThumbnail: words.contains("T"), processorCount: words.filter { $0.hasPrefix("p") }.count,
      options: options)
  }
}
