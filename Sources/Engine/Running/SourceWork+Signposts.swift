import Planning
import Signposts
import Text

extension SourceWork {
  /// What a recording says of the source.
  var signpostMetadata: SignpostMetadata {
    var metadata: SignpostMetadata = [.url: .url(url)]
    if scheme == .http || scheme == .https, let host = RedactedURL.host(of: url) {
      metadata[.host] = .text(host)
    }
    return metadata
  }
}
