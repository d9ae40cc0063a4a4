/// When an ``HTTPCache`` answers a request and when the server does.
public enum HTTPCachePolicy: String, Sendable, Hashable, CaseIterable {
  /// As the fields of the stored response say (RFC 9111).
  case useProtocol
  /// The server answers; its answer is stored.
  case reloadIgnoringCache
  /// What is stored is given however old it is; the server answers where nothing is.
  case returnCacheElseLoad
  /// What is stored is given however old it is; the request fails where nothing is. For offline use.
  case returnCacheDontLoad
}
