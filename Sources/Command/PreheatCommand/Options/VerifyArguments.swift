import CacheTools
import Foundation
import Pictures
import Planning

/// What `preheat verify` is told.
struct VerifyArguments: Sendable {
  package var cache: CacheArguments
  package var options = VerifyOptions()
  var isQuick: Bool
  var repairs: Bool
  /// Whether a repair waits for the cache's lock.
  package var waitsForLock: Bool
  /// What makes the files again that were damaged or missing.
  package var job: JobArguments?

  init(_ values: OptionValues) throws(UsageError) {
    cache = try CacheArguments(values)
    isQuick = values.flag("quick")
    repairs = values.flag("repair")
    waitsForLock = values.flag("wait")
    if let path = values.text("job") {
      guard repairs else {
        throw UsageError(.conflict, "--job needs --repair", command: values.command.name)
      }
      var job = try JobArguments(values)
      job.jobs = [path]
      self.job = job
    }
    guard !repairs || !CacheVerifier.isBundle(cache.path) else {
      throw UsageError(
        .conflict, "a bundle cannot be repaired", suggestion: "repair its cache, and make the bundle again",
        command: values.command.name)
    }
    options.client = cache.client
    options.now = cache.now
    options.workers = values.integer("jobs") ?? options.workers
    options.formats = ImageFormat.trusted.union(values.list("allow-format").compactMap(ImageFormat.init))
    options.limits.maxPixels = values.integer("max-pixels") ?? options.limits.maxPixels
    options.limits.maxBytes = values.bytes("max-bytes") ?? options.limits.maxBytes
    options.limits.seconds = values.seconds("timeout") ?? options.limits.seconds
  }

  /// Whether a job writes the cache that is checked: another's files would be made in vain.
  func isCache(of plan: Plan) -> Bool {
    let paths = [plan.settings.cache, cache.path].map {
      URL(fileURLWithPath: $0).standardizedFileURL.resolvingSymlinksInPath().path
    }
    return paths[0] == paths[1]
  }
}
