import Foundation
import HTTPLoading
import Rendering
import Signposts

/// How a run goes about its work; none of it changes a byte of the result.
public struct RunOptions: Sendable {
  /// Worker processes that render.
  public var workers: Int
  public var http: HTTPConfiguration
  /// What requests are signed with, for jobs that ask for it.
  public var credentials: HTTPSigning.Credentials?
  public var limits: RenderLimits
  public var formats: Set<ImageFormat>
  public var isStrict = false
  /// Memory of one worker process, in bytes.
  public var workerBytes = RenderLimits.workerBytes
  /// Wait for another run on the same cache instead of failing.
  public var waitsForLock = false
  /// Fetch nothing: build from what is there, and fail the rest.
  public var isOffline = false
  /// Fetch and render everything again, as if each entry said `reload`.
  public var reloads = false
  /// Path of the `preheat-render` executable.
  public var renderer: String
  /// What dates in the cache are counted from, see `RunDate`.
  public var date: RunDate
  /// Compressed bytes that may wait between download and rendering. Downloads pause beyond it.
  public var maxBytesInFlight = 128 << 20
  /// Told of everything that the run does, and for how long.
  public var signposts = Signposter.disabled

  public init(
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
}

extension RunOptions {
  /// With room for the most that any of the jobs allows; each job's own limits hold picture by picture.
  func widened(for plans: [Plan]) -> RunOptions {
    var options = self
    let limits = plans.map(\.settings.limits)
    options.http.maxBodyBytes = limits.compactMap { $0[.bytes] }.reduce(http.maxBodyBytes) {
      max($0, Int($1))
    }
    options.workerBytes = limits.map { $0[.memory].map { Int($0) } ?? workerBytes }.max() ?? workerBytes
    return options
  }

  /// What the worker's program is told; nothing where its own numbers do.
  var workerArguments: [String] {
    workerBytes == RenderLimits.workerBytes ? [] : ["--memory", "\(workerBytes)"]
  }
}
