import CCurl
import Concurrency

/// Downloads whole bodies over HTTP/1.1 and HTTP/2, within the limits of its configuration.
///
/// One thread of its own runs every transfer; callers only wait. Nothing is taken from the environment: what is to
/// be used, proxies and credentials included, stands in the configuration.
public final class HTTPLoader: Sendable {
  private let channel: TransferChannel?
  private let thread: Locked<UInt?>

  public init(configuration: HTTPConfiguration = HTTPConfiguration()) {
    guard let multi = CurlMulti(maxConnections: 2 * max(1, configuration.maxConcurrent)) else {
      channel = nil
      thread = Locked(nil)
      return
    }
    let channel = TransferChannel(multi: multi)
    let start = ThreadStart(channel: channel, multi: multi, configuration: configuration)
    let context = Unmanaged.passRetained(start)
    var made: UInt = 0
    let isRunning = pcurl_thread_start(
      { context in
        guard let context else { return }
        Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque(), &made)
    if isRunning == 0 { context.release() }
    self.channel = isRunning == 0 ? nil : channel
    thread = Locked(isRunning == 0 ? nil : made)
  }

  deinit { shutdown() }

  /// Fetches one URL: follows redirects, tries again after failures that may pass.
  ///
  /// Cancelling the task ends the transfer.
  ///
  /// - Parameters:
  ///   - progress: called as the body comes in, from the beginning again after a retry.
  ///   - sink: is given the body as it comes in, and what is left of it when it breaks off; then nothing is
  ///     tried again that could be gone on with.
  /// - Throws: ``HTTPFailure``, with a code for every cause.
  public func load(
    _ request: HTTPRequest, progress: HTTPProgress.Handler? = nil, sink: HTTPBodyChunk.Sink? = nil
  ) async throws(HTTPFailure) -> HTTPResponse {
    let url = try HTTPURL(request.url)
    for header in request.headers { try header.check() }
    guard let channel else { throw .noHandle }
    let id = channel.newID()
    let ticket = TransferChannel.Ticket()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        channel.submit(
          TransferChannel.Submission(
            id: id, request: request, url: url, ticket: ticket, progress: progress,
            sink: sink, continuation: continuation))
      }
    } onCancel: {
      ticket.cancel()
      channel.cancel(id)
    }
    // A caller may hold the loader by this call alone.
    withExtendedLifetime(self) {}
    return try result.get()
  }

  /// Ends every transfer with `fetch.cancelled`, closes the connections and waits for the thread's end.
  /// Further calls do nothing.
  public func shutdown() {
    thread.withLock { thread in
      guard let running = thread else { return }
      channel?.close()
      pcurl_thread_join(running)
      channel?.release()
      thread = nil
    }
  }

  /// What has been done so far.
  public var statistics: HTTPStatistics { channel?.statistics ?? HTTPStatistics() }
}

/// What the thread is handed when it starts.
private final class ThreadStart: Sendable {
  private let channel: TransferChannel
  private let multi: CurlMulti
  private let configuration: HTTPConfiguration

  init(channel: TransferChannel, multi: CurlMulti, configuration: HTTPConfiguration) {
    self.channel = channel
    self.multi = multi
    self.configuration = configuration
  }

  package func run() {
    var loop = TransferLoop(channel: channel, multi: multi, configuration: configuration)
    loop.run()
  }
}

/// What the transfers stand on, for people who look for the cause of something.
public enum HTTPLibrary {
  /// libcurl's version and those of the libraries it uses, in its own words.
  public static var version: String { String(cString: pcurl_version_text()) }

  /// The file of CA certificates that libcurl was built with, if it names one.
  public static var certificates: String? { pcurl_certificates().map { String(cString: $0) } }
}
