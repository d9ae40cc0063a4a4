import Foundation
import Text

extension KingfisherKeyFormat {
  /// The key of a URL for which the app gives no `cacheKey`: the text that the app's `URL(string:)` holds, and for
  /// a file URL what this version makes of it (``localFileKey(of:)``). Empty where there is no such URL; Kingfisher
  /// loads nothing then.
  ///
  /// Nothing is normalised: letter case, default ports, dot segments and the order of a query all change the key.
  /// Text that is no valid URL becomes what Foundation of iOS 17 and later makes of it; older systems have no URL.
  public func baseKey(url text: String) -> String {
    guard let held = URLText(text)?.text else { return "" }
    // Making a URL costs more than all the rest of a key, and few need it.
    guard version.hasLocalFileKeys, held.prefix(5).lowercased() == "file:", let url = URL(string: held) else {
      return held
    }
    return Self.localFileKey(of: url)
  }

  /// The key of a file, the same after a reinstallation where the file lies in an app or an extension: its path
  /// from the last folder that ends in `.app` or `.appex`, percent-decoded, and its query as it is. Files elsewhere
  /// keep the whole path, and so the container's UUID.
  static func localFileKey(of url: URL) -> String {
    let components = url.pathComponents
    let start = components.lastIndex { $0.hasSuffix(".app") || $0.hasSuffix(".appex") } ?? 0
    return "kingfisher.local.cacheKey/" + components[start...].joined(separator: "/")
      + (url.query.map { "?" + $0 } ?? "")
  }
}
