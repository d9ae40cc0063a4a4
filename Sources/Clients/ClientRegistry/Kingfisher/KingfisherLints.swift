import ClientKit
import Foundation
import KingfisherCache
import Syntax
import Text

/// What a job cannot know of the app, and what differs by it.
extension KingfisherClient {
  /// The other style and what it adds to a key, where that is something else.
  ///
  /// - Parameter own: what the chain adds by the job's own style.
  func otherStyle(
    of calls: [ProcessorCall], own: String
  ) -> (style: KingfisherKeyFormat.Style, suffix: String)? {
    var other = format
    other.style = format.style == .options ? .builder : .options
    guard other.style == .options || other.version.hasBuilders, other.unsupportedReason(calls) == nil else {
      return nil
    }
    let suffix = other.computedKey(baseKey: "", identifier: other.identifier(of: calls))
    return suffix == own ? nil : (other.style, suffix)
  }

  package func lint(_ subject: LintSubject, at offset: Int) -> Mistake? {
    switch subject {
    case .chain(let chain): lint(ofStyle: chain.calls, at: offset)
    case .source(let url, let scheme, let options):
      (scheme == .file ? lint(ofFile: url, options, at: offset) : nil) ?? lint(ofViews: options, at: offset)
    case .folder(let path): lint(ofFolder: path, at: offset)
    case .key(let key):
      KingfisherKeyFormat.isLocal(key) ? Mistake(offset, "this is a path of this machine") : nil
    case .originalsAlone: nil
    }
  }

  private func lint(ofStyle calls: [ProcessorCall], at offset: Int) -> Mistake? {
    let own = suffix(of: calls).text
    guard !knowsStyle, let other = otherStyle(of: calls, own: own) else { return nil }
    return Mistake(
      offset,
      "the key ends with \(Mistake.quote(own)), as for .processor(...); with the modifiers of KF and KFImage the app "
        + "looks for \(Mistake.quote(other.suffix))",
      help: "say which it is: style options, or style builder", isVital: true)
  }

  /// 7.1.x and 7.2.0 have two keys for one file; which one holds depends on what the app hands over.
  private func lint(ofFile url: String, _ options: RequestOptions, at offset: Int) -> Mistake? {
    let key = baseKey(url: url, options: options, stripQuery: [])
    let resource = format.resourceKey(url: url, ownKey: options.imageID)
    guard resource != key else { return nil }
    return Mistake(
      offset,
      "Kingfisher \(format.version) has two keys for a file with \(options.imageID == nil ? "no key" : "a key") of its own",
      help: "the key is \(Mistake.quote(key)), for "
        + (options.imageID == nil
          ? "the URL itself" : "KF.url(_:cacheKey:) and convertToSource(overrideCacheKey:)")
        + "; for an ImageResource it would be \(Mistake.quote(resource))", isVital: true)
  }

  private func lint(ofViews options: RequestOptions, at offset: Int) -> Mistake? {
    guard format.style == .builder, options.imageID != nil, format.version.dropsKeysOfViews else {
      return nil
    }
    return Mistake(
      offset,
      "KFImage.url(_:cacheKey:) of Kingfisher \(format.version) ignores its key: the app looks for the URL's own",
      help: "KFImage(source: .network(ImageResource(downloadURL:cacheKey:))), KF.url, or Kingfisher 6.1.1",
      isVital: true)
  }

  private func lint(ofFolder path: String, at offset: Int) -> Mistake? {
    let name = PathText.name(of: path) ?? ""
    let prefix = DiskStorage.Config.folderNamePrefix
    // Other names are those of a build machine; the installation gives the cache the app's.
    guard name.lowercased().hasPrefix("com.onevcat.kingfisher"), !name.hasPrefix(prefix) || name == prefix
    else { return nil }
    return Mistake(
      offset,
      "no ImageCache looks into a folder of this name; it would be \(prefix)default, or the cache's own name "
        + "in place of default")
  }
}
