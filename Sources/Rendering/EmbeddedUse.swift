/// Whether the thumbnail that cameras put into EXIF may stand for the picture.
public enum EmbeddedUse: String, Codable, Hashable, Sendable, CaseIterable {
  /// As the request's own flags say, which is how the app's picture looks: `createThumbnailFromImageAlways`
  /// (the default of Nuke's `ThumbnailOptions`) draws from all pixels; without it a good embedded thumbnail is
  /// taken. Chains that do not begin with a thumbnail are drawn from all pixels.
  case client
  /// All pixels, whatever the request says.
  case never
  /// The embedded thumbnail wherever it is good enough for the first step, which has to be a thumbnail or
  /// a resize; otherwise all pixels.
  case prefer
  /// The embedded thumbnail or nothing.
  case only
}
