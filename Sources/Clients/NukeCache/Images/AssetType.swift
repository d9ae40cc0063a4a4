/// The format of encoded image data, by its uniform type identifier: Nuke's `AssetType`.
public struct AssetType: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }

  public static let jpeg: AssetType = "public.jpeg"
  public static let png: AssetType = "public.png"
  public static let gif: AssetType = "com.compuserve.gif"
  public static let webp: AssetType = "public.webp"
  public static let heic: AssetType = "public.heic"
  public static let avif: AssetType = "public.avif"
  public static let tiff: AssetType = "public.tiff"
}
