/// What changed when in how a cache is read, as far as its library here follows it. Facts: Kingfisher's source at
/// the tags named, run on Linux.
extension KingfisherVersion {
  /// The folder is listed once, when the storage is made; a file that came later is a miss.
  var listsFilesOnce: Bool { self >= KingfisherVersion(5, 14, 1) }
  /// A request can say what a load from disk does to the expiration; before, the period always began again.
  var controlsDiskExtension: Bool { self >= KingfisherVersion(5, 8, 0) }
  /// `fromMemoryCacheOrRefresh` keeps from originals on disk, too.
  var refreshesOriginals: Bool { self >= KingfisherVersion(5, 10, 1) }
  /// A processor runs again on what is found under its key, where the serializer keeps original data.
  var processesKeptOriginals: Bool { self >= KingfisherVersion(7, 4, 1) }
  /// An original that cannot be decoded is downloaded again. Before, the request failed or was never answered.
  var replacesDamagedOriginals: Bool { self >= KingfisherVersion(8, 8, 0) }
}
