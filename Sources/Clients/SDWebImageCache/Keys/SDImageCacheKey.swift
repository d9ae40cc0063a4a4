import Digests
import Text

/// How SDWebImage 5 makes keys and file names.
///
/// A request's key is its *original key* (the URL's `absoluteString`, or what a cache key filter returns) with a mark
/// for a thumbnail size and one for a transformer. Facts: `SDImageTransformer.m`, `SDDiskCache.m` and
/// `SDWebImageManager.m`, 5.0.0 to 5.21.5.
public enum SDImageCacheKey {
  /// `SDTransformedKeyForKey`: the key with a mark.
  ///
  /// A key with a path extension is marked before it, and if it is a URL its path is decoded and encoded again. Any
  /// other key gets the mark at its end.
  public static func transformed(_ key: String, by mark: String) -> String {
    let url = KeyURL(key)
    let found = url.map { $0.pathExtension } ?? KeyPath.pathExtension(Array(key.utf8))
    guard let found, !found.isEmpty else { return "\(key)-\(mark)" }
    if let url, !url.isFile, let path = url.path {
      return url.text(withPath: marked(path, mark, found))
    }
    return String(decoding: marked(Array(key.utf8), mark, found), as: UTF8.self)
  }

  private static func marked(_ path: [UInt8], _ mark: String, _ pathExtension: [UInt8]) -> [UInt8] {
    KeyPath.withoutExtension(path) + "-\(mark).".utf8 + pathExtension
  }

  /// The key of a request.
  ///
  /// - Parameters:
  ///   - original: the original key.
  ///   - thumbnail: the request's `imageThumbnailPixelSize`.
  ///   - transformers: one, or the members of a pipeline.
  ///   - version: the release whose keys are made.
  public static func key(
    original: String, thumbnail: SDImageThumbnail? = nil, transformers: [SDImageTransformer] = [],
    version: SDWebImageVersion = .latest
  ) -> String {
    let context = KeyContext(release: Release(version))
    var key = original
    if let thumbnail { key = transformed(key, by: TransformerKey.all.key(of: thumbnail.call, context)) }
    guard !transformers.isEmpty else { return key }
    // `SDImagePipelineTransformer.transformerKey`
    return transformed(key, by: transformers.map { $0.key(version) }.joined(separator: "-"))
  }

  /// The name of a key's file: the MD5 of its UTF-8 and the key's path extension.
  public static func fileName(forKey key: String, version: SDWebImageVersion = .latest) -> String {
    let digest = MD5.hexadecimal(of: key)
    guard let found = pathExtension(ofKey: key, version), !found.isEmpty else { return digest }
    return "\(digest).\(found)"
  }

  /// The name that a read tries where there is no file of the first one: without the extension.
  public static func nameWithoutExtension(forKey key: String) -> String { MD5.hexadecimal(of: key) }

  /// The longest extension in UTF-16 units: `NAME_MAX` without the digest and the dot.
  private static let longestExtension = 222

  private static func pathExtension(ofKey key: String, _ version: SDWebImageVersion) -> String? {
    let url = KeyURL(key)
    var bytes = url?.pathExtension
    if url == nil || (bytes == nil && version.cleansExtensions) {
      bytes = KeyPath.pathExtension(Array(key.utf8))
    }
    guard var bytes else { return nil }
    if version.cleansExtensions { bytes.removeAll { $0 == 0 || $0 == UInt8(ascii: ":") } }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf16.count > longestExtension ? nil : text
  }

  /// Whether a key is a file's URL that a mark would be put into with path functions, whose result differs between
  /// systems; no such key is known in advance.
  package static func isFileWithExtension(_ key: String) -> Bool {
    KeyURL(key).map { $0.isFile && $0.pathExtension?.isEmpty == false } ?? false
  }

  /// Pixels a point that the key says: `@2x.` and `@3x.` behind a name, in a web address also with an encoded `@`; nil where it says none
  /// (`SDImageScaleFactorForKey`).
  package static func scale(ofKey key: String) -> Double? {
    // Nearly all keys have neither.
    guard key.utf16.count >= 8,
      key.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") })
    else { return nil }
    let text = KeyScanner(key)
    let isWeb = text.isAt("http://") || text.isAt("https://")
    return [2.0, 3.0].first { scale in
      let mark = "\(Int(scale))x."
      return text.index(of: "@" + mark) != nil || isWeb && text.index(of: "%40" + mark) != nil
    }
  }
}
