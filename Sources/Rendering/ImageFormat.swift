/// The image formats on our own table. What is not on it never reaches a decoder.
public enum ImageFormat: String, Codable, Hashable, Sendable, CaseIterable {
  case jpeg, png, gif, webp, tiff, heif, avif

  /// Decoded without being asked for. The others have to be allowed by name.
  public static let trusted: Set<ImageFormat> = [.jpeg, .png, .gif, .webp]
}
