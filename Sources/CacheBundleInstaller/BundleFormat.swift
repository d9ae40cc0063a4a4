/// Facts about a bundle that whoever makes one and whoever installs one share.
///
/// A bundle is a folder or a zip whose entries are stored: ``idName`` first, then ``indexName``, then the cache's
/// files under ``filesFolder``.
public enum BundleFormat {
  /// Value of the index's `format`.
  public static let name = "preheat-bundle"
  /// Version of the index; it grows when a field changes its meaning.
  public static let version = 1
  /// Name of the index at the bundle's top.
  public static let indexName = "index.json"
  /// A file with the bundle's id alone, so that an app sees without reading the index that it has it already.
  public static let idName = "id"
  /// Folder of the cache's files.
  public static let filesFolder = "files"

  /// An index larger than this is not read.
  public static let maxIndexBytes = 128 << 20
  /// No bundle has more entries.
  public static let maxEntries = 250_000
}
