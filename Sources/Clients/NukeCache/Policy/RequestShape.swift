/// What of a request decides which entries are looked up and stored; the keys come later.
package struct RequestShape: Hashable, Sendable {
  package typealias Options = ImageRequest.Options

  var hasThumbnail: Bool
  var processorCount: Int
  /// Those that concern the data cache; before 13.2.1 `disableDiskCacheWrites` counts for originals alone.
  package var options: Options

  package init(hasThumbnail: Bool = false, processorCount: Int = 0, options: Options = []) {
    self.hasThumbnail = hasThumbnail
    self.processorCount = processorCount
    self.options = options
  }

  /// The key of the request itself: the whole chain.
  package var fullKey: KeyPart { KeyPart(hasThumbnail: hasThumbnail, processorCount: processorCount) }

  /// The shape of a whole request, for the rules of a version.
  package init(_ request: ImageRequest) {
    let known: Options = [.disableDiskCache, .reloadIgnoringCachedData, .returnCacheDataDontLoad]
    self.init(
      hasThumbnail: request.thumbnail != nil, processorCount: request.processors.count,
      options: request.options.intersection(known))
  }
}

/// Where a request's image comes from, as far as Nuke's data cache treats it differently.
package enum ResourceKind: Hashable, Sendable, CaseIterable {
  /// A URL that goes through the data loader: http and https, and any scheme not named here.
  case http
  case file
  /// A `data:` URL.
  case data

  /// The kind of a URL of this scheme. Before 13.2.0 Nuke compares schemes with their case, so
  /// `FILE:` is cached there as if it came from the web.
  ///
  /// - Parameter urlText: without a scheme it goes to the data loader too.
  package init(urlText: String, version: NukeVersion) {
    // By bytes: each local source of a job comes by here, more than once.
    let head = String(decoding: urlText.utf8.prefix(5), as: UTF8.self)
    switch version.ignoresCaseOfSchemes ? head.lowercased() : head {
    case "file:": self = .file
    case "data:": self = .data
    default: self = .http
    }
  }
}
