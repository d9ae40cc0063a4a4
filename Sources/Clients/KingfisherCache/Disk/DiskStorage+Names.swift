import FileStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DiskStorage.Backend {
  /// The name under which a computed key's file is read.
  public func cacheFileName(forKey key: String, forcedExtension: String? = nil) throws(KingfisherError)
    -> String
  {
    let names = try fileNames(forKey: key, forcedExtension: forcedExtension)
    guard let name = names.first else {
      throw .cacheError(reason: .notCacheable(key: key, reason: "it has no file name"))
    }
    return name
  }

  /// Where a computed key's file lies or would lie.
  public func cacheFileURL(forKey key: String, forcedExtension: String? = nil) throws(KingfisherError) -> URL
  {
    directoryURL.appendingPathComponent(try cacheFileName(forKey: key, forcedExtension: forcedExtension))
  }

  /// The names of a computed key's file: two where a version probes under one and reads under the other.
  package func fileNames(forKey key: String, forcedExtension: String?) throws(KingfisherError) -> [String] {
    let config = config
    guard config.usesHashedFileName || config.version < KingfisherVersion(5, 3, 0) else {
      return [try plainName(forKey: key, config, forcedExtension: forcedExtension)]
    }
    do throws(NotCacheable) {
      return try config.keyFormat(forcedExtension: forcedExtension).fileNames(forComputedKey: key)
    } catch {
      throw .cacheError(reason: .notCacheable(key: key, reason: "\(error)"))
    }
  }

  /// The key itself, with an extension that the request or the configuration gives (5.3.0 and later).
  private func plainName(
    forKey key: String, _ config: DiskStorage.Config, forcedExtension: String?
  ) throws(KingfisherError) -> String {
    let forced = config.version.hasForcedExtension ? forcedExtension : nil
    let name = (forced ?? config.pathExtension).map { "\(key).\($0)" } ?? key
    guard FileStore.isFileName(name) else {
      let reason = "names are not hashed, and this one is empty, holds a slash or is a dot"
      throw .cacheError(reason: .notCacheable(key: key, reason: reason))
    }
    return name
  }
}
