/// Facts about a bundle that whoever makes one and whoever installs one share.
public enum BundleFormat {
  /// Version of `index.json`; it grows when a field changes its meaning.
  public static let version = 1
  /// Name of the index at the bundle's top.
  public static let indexName = "index.json"
}
