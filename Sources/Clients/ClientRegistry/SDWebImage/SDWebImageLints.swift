import ClientKit
import Foundation
import SDWebImageCache
import Syntax

/// What a job cannot know of the app.
extension SDWebImageClient {
  package func lint(_ subject: LintSubject, at offset: Int) -> Mistake? {
    switch subject {
    case .chain, .key: nil
    case .source(let url, let scheme, let options):
      options.imageID == nil && scheme.isWeb ? lint(ofURL: url, at: offset) : nil
    case .folder(let path): lint(ofFolder: path).map { Mistake(offset, $0) }
    case .originalsAlone:
      version.confusesThumbnails
        ? Mistake(
          offset,
          "the job makes originals alone, and SDWebImage 5.21.7 is reported to show a thumbnail in place of an original "
            + "(#3866): one that it makes of an original on disk goes into memory under the original's key",
          help: "where the app has requests with imageThumbnailPixelSize, warm them too: thumbnail(size: WxH)"
        ) : nil
    }
  }

  private func lint(ofURL url: String, at offset: Int) -> Mistake? {
    // An encoded slash is one once the path is decoded for the mark.
    let path = KeyURL(url)?.path ?? []
    let slash = UInt8(ascii: "/")
    guard zip(path, path.dropFirst()).contains(where: { $0 == slash && $1 == slash }) else { return nil }
    return Mistake(
      offset,
      "this URL's path has repeated slashes, and whether a mark in the key leaves them is not known on every system",
      help: "compare the key with the app's own, or give the one that a cacheKeyFilter returns: id=TEXT")
  }

  private func lint(ofFolder path: String) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    let parent = SDImageCache.folderName
    if parts.last == parent {
      return
        "the shared SDImageCache looks into the folder default below it; end the path with \(parent)/default, or "
        + "with the cache's own namespace"
    }
    // Other names are those of a build machine; the installation gives the cache the app's.
    guard let name = parts.last, name.lowercased().hasPrefix("com.hackemist.") else { return nil }
    return
      "no SDImageCache of 5.0.0 or later looks into a folder of this name; it would be \(parent)/default, or the "
      + "cache's own namespace in place of default"
  }
}
