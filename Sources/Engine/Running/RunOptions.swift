import ClientKit
import Fetching
import Foundation
import Pictures
import Planning
import Rendering
import Signposts

/// How a run goes about its work; none of it changes a byte of the result.
package struct RunOptions: Sendable {
  package var workers: Int
  package var http: HTTPConfiguration
  /// The credentials for jobs whose requests are signed.
  package var credentials: HTTPSigning.Credentials?
  package var limits: RenderLimits
  package var formats: Set<ImageFormat>
  package var isStrict = false
  package var workerBytes = RenderLimits.workerBytes
  /// Decode even where nothing confines the decoders.
  package var allowsUnconfined = false
  /// Wait for another run on the same cache instead of failing.
  package var waitsForLock = false
  /// Fetch nothing: build from what is there, and fail the rest.
  package var isOffline = false
  /// Fetch and render everything again, as if each entry said `reload`.
  package var reloads = false
  package var renderer: String
  /// The moment that dates in the cache are counted from, see `RunDate`.
  package var date: RunDate
  /// Compressed bytes that may wait between download and rendering. Downloads pause beyond it.
  var maxBytesInFlight = 64 << 20
  /// Since when the run's time is counted; nil for its own beginning, when the jobs have been read already.
  package var started: ContinuousClock.Instant?
  /// How long a finished file waits for others, to be put in its place together with them.
  package var publishingDelay = Duration.seconds(1)
  /// Records everything that the run does, and for how long.
  package var signposts = Signposter.disabled

  package init(
    renderer: String, workers: Int, http: HTTPConfiguration = HTTPConfiguration(),
    limits: RenderLimits = RenderLimits(), formats: Set<ImageFormat> = ImageFormat.trusted,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    date = RunDate(environment: environment)
    self.renderer = renderer
    self.workers = workers
    self.http = http
    credentials = HTTPSigning.Credentials(environment: environment)
    self.limits = limits
    self.formats = formats
  }

  /// With workers that have the memory that any of the jobs allows; each job's limits hold picture by picture.
  func widened(for plans: [Plan]) -> RunOptions {
    var options = self
    options.workerBytes = plans.map { $0.settings.limits.maxMemory ?? workerBytes }.max() ?? workerBytes
    return options
  }

  /// The options of the worker's program; none where its defaults do.
  var workerArguments: [String] {
    (workerBytes == RenderLimits.workerBytes ? [] : ["--memory", "\(workerBytes)"])
      + (allowsUnconfined ? [RenderPool.allowUnconfined] : [])
  }
}
