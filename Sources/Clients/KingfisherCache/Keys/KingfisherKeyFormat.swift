/// How one version of Kingfisher, as one app has set it up, spells its cache keys and file names.
///
/// A base key (the URL's text, or what the app gives as `cacheKey`) and the identifier of a request's processor make
/// the computed key; the hash of that is the file's name. The scale factor, the serializer and the expiration enter
/// neither. Found by running the code of 18 tags, 5.0.0 to 8.11.0.
public struct KingfisherKeyFormat: Hashable, Sendable {
  /// How the app hands over its processors.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// `.processor(a |> b)` among the options, or `setProcessor` of a builder: the identifiers as they are.
    case options
    /// The modifiers of `KF` and `KFImage` (since 6.0.0), which append to the default processor, so that the
    /// identifier begins with `|>`.
    case builder
  }

  public var version: KingfisherVersion
  public var style: Style
  public var naming: FileNaming

  public init(version: KingfisherVersion, style: Style = .options, naming: FileNaming = FileNaming()) {
    self.version = version
    self.style = style
    self.naming = naming
  }

  /// `base`, or `base@identifier` where there is one.
  public func computedKey(baseKey: String, identifier: String) -> String {
    identifier.isEmpty ? baseKey : "\(baseKey)@\(identifier)"
  }

  /// The computed key of a chain.
  public func computedKey(baseKey: String, processors: [BuiltInProcessor]) -> String {
    computedKey(baseKey: baseKey, identifier: identifier(of: processors))
  }
}
