import ClientKit
import Foundation
import KingfisherCache
import Syntax

/// What a job cannot know of the app, and what differs by it.
extension KingfisherClient {
  /// The commonest reason for a miss is the leading `|>` of `KF` and `KFImage`.
  package func otherForms(of chain: Chain) -> [OtherForm] {
    guard let (style, suffix) = otherStyle(of: chain) else { return [] }
    return [
      OtherForm(
        suffix: KeySuffix(part: Self.part(chain.processors), suffix),
        hint: "one made with style \(style) is: set the style to how the app builds its requests")
    ]
  }

  /// The other style and what it adds to a key, where that is something else.
  private func otherStyle(of chain: Chain) -> (style: KingfisherKeyFormat.Style, suffix: String)? {
    var other = format
    other.style = format.style == .options ? .builder : .options
    let processors = chain.processors
    guard other.unsupportedReason(processors: processors) == nil else { return nil }
    let suffix = other.computedKey(baseKey: "", identifier: other.identifier(of: processors))
    guard suffix != format.computedKey(baseKey: "", identifier: format.identifier(of: processors)) else {
      return nil
    }
    return (other.style, suffix)
  }

  package func lint(of chain: Chain, at offset: Int) -> Mistake? {
    guard !knowsStyle, let other = otherStyle(of: chain) else { return nil }
    let own = format.computedKey(baseKey: "", identifier: format.identifier(of: chain.processors))
    return Mistake(
      offset,
      "the key ends with \(Mistake.quote(own)), as for .processor(...); with the modifiers of KF and KFImage the app "
        + "looks for \(Mistake.quote(other.suffix))",
      help: "say which it is: style options, or style builder")
  }

  /// 7.1.x and 7.2.0 have two keys for one file; which one holds depends on what the app hands over.
  package func lint(
    ofSource url: String, scheme: SourceScheme, options: RequestOptions, at offset: Int
  ) -> Mistake? {
    guard scheme == .file else { return nil }
    let key = baseKey(url: url, options: options, stripQuery: [])
    let resource = format.resourceKey(url: url, ownKey: options.imageID)
    guard resource != key else { return nil }
    return Mistake(
      offset,
      "Kingfisher \(format.version) has two keys for a file with \(options.imageID == nil ? "no key" : "a key") of its own",
      help: "the key is \(Mistake.quote(key)), for "
        + (options.imageID == nil
          ? "the URL itself" : "KF.url(_:cacheKey:) and convertToSource(overrideCacheKey:)")
        + "; for an ImageResource it would be \(Mistake.quote(resource))")
  }

  package func lint(ofFolder path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let prefix = DiskStorage.Config.folderNamePrefix
    // Other names are those of a build machine, and whoever installs the cache gives it the app's.
    guard name.lowercased().hasPrefix("com.onevcat.kingfisher"), !name.hasPrefix(prefix) || name == prefix
    else { return nil }
    return
      "no ImageCache looks into a folder of this name; it would be \(prefix)default, or the cache's own name "
      + "in place of default"
  }
}
