/// Where a request's image comes from, as far as Nuke's data cache treats it differently.
public enum ResourceKind: Hashable, Sendable, CaseIterable {
  /// A URL that goes through the data loader: http and https, and any scheme not named here.
  case http
  case file
  /// A `data:` URL.
  case data
  /// A closure or publisher that gives bytes.
  case closureOfData
  /// A closure that gives a decoded image (13.0.0 and later).
  case closureOfImage

  /// The kind of a URL of this scheme. Before 13.2.0 Nuke compares schemes with their case, so
  /// `FILE:` is cached there as if it came from the web.
  public init(scheme: some StringProtocol, version: NukeVersion) {
    switch version.ignoresCaseOfSchemes ? scheme.lowercased() : String(scheme) {
    case "file": self = .file
    case "data": self = .data
    default: self = .http
    }
  }

  /// The kind of a URL by its text; text without a scheme goes to the data loader too.
  public init(urlText: String, version: NukeVersion) {
    let end = urlText.firstIndex { ":/?#".contains($0) }
    let scheme = end.map { urlText[$0] == ":" ? urlText[..<$0] : "" } ?? ""
    self.init(scheme: scheme, version: version)
  }

  package var isLocal: Bool { self == .file || self == .data }
}
