import Digests
import Fetching

extension SourceBody {
  package init(_ response: HTTPResponse) {
    self.init(bytes: response.body, digest: response.bodyDigest ?? hexadecimal(SHA256.hash(response.body)))
    // A condition would be sent to the URL that redirects, and its answer would be about another one.
    if response.redirects == 0 {
      etag = response.etag
      lastModified = response.lastModified
    }
    switch response.source {
    case .network: origin = .network
    case .cache, .validatedCache: origin = .httpCache
    case .staleCache:
      origin = .httpCache
      note = "the server could not be asked, so this is what it sent before"
    }
    if response.isLengthUnverified { note = "the server announced no length" }
  }
}
