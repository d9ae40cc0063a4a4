/// A word that begins a setting.
package enum Keyword: String, CaseIterable {
  case client, cache, policy, scale, encode, embedded
  case stripQuery = "strip-query"
  case chain, header
  case allowPrivate = "allow-private"
  case sizeLimit = "size-limit"
  case rateLimit = "rate-limit"
  case perHost = "per-host"
  case awsSignature = "aws-sigv4"
  case httpCache = "http-cache"
  case staleIfError = "stale-if-error"
  case check
  case maxPixels = "max-pixels"
  case maxSide = "max-side"
  case maxAnimationPixels = "max-animation-pixels"
  case maxBytes = "max-bytes"
  case maxMemory = "max-memory"
  case timeout
  case `default`, include
  case style
  case pathExtension = "path-extension"
  case autoExtension = "auto-extension"
  case forcedExtension = "forced-extension"
  case expires

  /// Settings that say one thing, so that a second one would contradict the first.
  var isSingle: Bool {
    switch self {
    case .client, .cache, .policy, .scale, .encode, .embedded, .default, .sizeLimit, .perHost, .httpCache,
      .staleIfError,
      .check, .style, .pathExtension, .autoExtension, .forcedExtension, .expires, .maxPixels, .maxSide,
      .maxAnimationPixels, .maxBytes, .maxMemory, .timeout:
      true
    default: false
    }
  }

  /// The client that alone has such a setting; nil for what both have.
  package var owner: String? {
    switch self {
    case .policy: "nuke"
    case .style, .pathExtension, .autoExtension, .forcedExtension, .expires: "kingfisher"
    default: nil
    }
  }

  /// A line with it, done right.
  package var example: String {
    switch self {
    case .client: "client nuke 12"
    case .cache: "cache out/com.example.catalog"
    case .policy: "policy automatic"
    case .scale: "scale 2 3"
    case .encode: "encode jpeg(quality: 80)"
    case .embedded: "embedded prefer"
    case .stripQuery: "strip-query token X-Amz-*"
    case .chain: "chain card = resize(width: 320)"
    case .header: "header img.example.com Accept: image/*"
    case .allowPrivate: "allow-private media.intranet"
    case .sizeLimit: "size-limit 300M"
    case .rateLimit: "rate-limit img.example.com 10/s burst=20"
    case .perHost: "per-host 6"
    case .awsSignature: "aws-sigv4 bucket.s3.eu-west-1.amazonaws.com aws:amz:eu-west-1:s3"
    case .httpCache: "http-cache 300M"
    case .staleIfError: "stale-if-error 1d"
    case .check: "check decode"
    case .maxPixels: "max-pixels 80000000"
    case .maxSide: "max-side 20000"
    case .maxAnimationPixels: "max-animation-pixels 500000000"
    case .maxBytes: "max-bytes 20M"
    case .maxMemory: "max-memory 1G"
    case .timeout: "timeout 30"
    case .default: "default card list"
    case .include: "include urls.txt card"
    case .style: "style builder"
    case .pathExtension: "path-extension jpg"
    case .autoExtension: "auto-extension true"
    case .forcedExtension: "forced-extension heic"
    case .expires: "expires 30d"
    }
  }

  /// Words that a chain cannot have as its name.
  package static let reserved: Set<String> = Set(
    allCases.map(\.rawValue) + NukeProcessors.names + KingfisherProcessors.names
      + EntryOptionName.allCases.map(\.rawValue) + ["original", "as"])
}
