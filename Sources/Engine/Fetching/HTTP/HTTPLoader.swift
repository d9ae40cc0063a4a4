import CCurl
import Concurrency
import Synchronization
import Text

/// Downloads whole bodies over HTTP/1.1 and HTTP/2, within the limits of its configuration.
///
/// One thread of its own runs every transfer; callers only wait. Nothing is taken from the environment: proxies,
/// credentials and all else stand in the configuration.
package final class HTTPLoader: Sendable {
  let configuration: HTTPConfiguration
  private let channel: TransferChannel?
  private let thread: Locked<UInt?>
  private let decoder = ContentDecoder()

  package init(configuration: HTTPConfiguration = HTTPConfiguration()) {
    self.configuration = configuration
    guard let multi = CurlMulti(maxConnections: 2 * max(1, configuration.maxConcurrent)) else {
      channel = nil
      thread = Locked(nil)
      return
    }
    let channel = TransferChannel(multi: multi)
    let start = ThreadStart {
      var loop = TransferLoop(channel: channel, multi: multi, configuration: configuration)
      loop.run()
    }
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
  /// - Parameter sink: gets the body as it comes in, and the rest when the transfer breaks off; a transfer that can
  ///   be resumed is then not retried.
  /// - Throws: ``HTTPFailure``, with a code for every cause.
  package func load(
    _ request: HTTPRequest, sink: HTTPBodyChunk.Sink? = nil
  ) async throws(HTTPFailure) -> HTTPResponse {
    let url = try HTTPURL(request.url)
    for header in request.headers + request.redirectHeaders.map(\.header) { try header.check() }
    let began = ContinuousClock.now
    var causes: [String] = []
    while true {
      let response = try await answer(request, url, causes, sink)
      let whole = try await whole(response, request, url)
      let isLater = response.status == 202 && !(whole.map { configuration.isAwaited($0.body) } ?? true)
      if let whole, !isLater { return whole }
      causes = Array(repeating: isLater ? "202" : "truncated", count: response.retries + 1)
      let wait = configuration.wait(
        attempt: response.retries, elapsed: ContinuousClock.now - began,
        retryAfter: isLater ? response.fields.retryAfterSeconds() : nil)
      guard let wait else {
        throw isLater
          ? HTTPFailure(status: 202, at: url, wording: configuration.wording)
          : .noEnd(of: url, response)
      }
      // A cancelled sleep ends at once, and so does the next try.
      try? await Task.sleep(for: wait)
    }
  }

  /// - Returns: nil where the body may have been cut.
  private func whole(
    _ response: HTTPResponse, _ request: HTTPRequest, _ url: HTTPURL
  ) async throws(HTTPFailure) -> HTTPResponse? {
    if response.hasOpenEnd, configuration.mayBeCut(response.body) { return nil }
    guard !response.fields.codings.isEmpty, !response.body.isEmpty else { return response }
    do throws(HTTPFailure) {
      return try await decoder.decode(
        response, from: url, limit: request.maxBodyBytes ?? configuration.maxBodyBytes)
    } catch {
      guard error.code == .truncated else { throw error }
      return nil
    }
  }

  private func answer(
    _ request: HTTPRequest, _ url: HTTPURL, _ causes: [String], _ sink: HTTPBodyChunk.Sink?
  ) async throws(HTTPFailure) -> HTTPResponse {
    guard let channel else { throw .noHandle }
    let id = channel.newID()
    let isCancelled = Locked(false)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        channel.submit(
          TransferChannel.Submission(
            id: id, request: request, url: url, isCancelled: isCancelled, sink: sink, causes: causes,
            continuation: continuation))
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
      channel.cancel(id)
    }
    // A caller may hold the loader by this call alone.
    withExtendedLifetime(self) {}
    return try result.get()
  }

  /// Ends every transfer with `fetch.cancelled`, closes the connections, waits for the thread's end; once.
  package func shutdown() {
    thread.withLock { thread in
      guard let running = thread else { return }
      channel?.close()
      pcurl_thread_join(running)
      channel?.release()
      thread = nil
    }
  }

  /// Once it is shut down, by origin: the most connections over HTTP/1.1 and how often trouble halved them, where that
  /// is not the usual.
  package var connections: [String: (most: Int, halvings: Int)] {
    channel?.widths.withLock { $0.mapValues { ($0.widest, $0.halvings) } } ?? [:]
  }
}

/// The work of the thread, in a form that passes through C.
private final class ThreadStart: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

package enum HTTPLibrary {
  /// libcurl's version and those of the libraries it uses, in its own words.
  package static var version: String { String(cString: pcurl_version_text()) }

  /// The file of CA certificates that libcurl was built with, if it names one.
  static var certificates: String? { pcurl_certificates().map { String(cString: $0) } }
}

/// The commands of the loader to its thread.
final class TransferChannel: Sendable {
  struct Submission: Sendable {
    let id: UInt64
    let request: HTTPRequest
    let url: HTTPURL
    /// Remembers a cancellation that comes before its submission.
    let isCancelled: Locked<Bool>
    let sink: HTTPBodyChunk.Sink?
    /// Why earlier tries failed (`Load.causes`).
    let causes: [String]
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>
  }

  struct Commands: Sendable {
    var submissions: [Submission] = []
    var cancellations: [UInt64] = []
    var isClosed = false
  }

  private let commands = Locked(Commands())
  let widths = Locked<[String: HostWidth]>([:])
  private let lastID = Atomic<UInt64>(0)
  private let multi: Locked<CurlMulti?>

  init(multi: CurlMulti) { self.multi = Locked(multi) }

  func newID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

  func submit(_ submission: Submission) {
    let isTaken = change { commands in
      if !commands.isClosed { commands.submissions.append(submission) }
      return !commands.isClosed
    }
    if !isTaken { submission.continuation.resume(returning: .failure(.shutDown)) }
  }

  func cancel(_ id: UInt64) { change { $0.cancellations.append(id) } }

  func close() { change { $0.isClosed = true } }

  /// Releases libcurl once the thread has ended, and so closes the connections that were kept for reuse.
  func release() { multi.withLock { $0 = nil } }

  private func change<T: Sendable>(_ change: (inout Commands) -> T) -> T {
    let value = commands.withLock { change(&$0) }
    // A wake that comes before the sleep ends it, too.
    multi.withLock { $0?.wake() }
    return value
  }

  /// The commands since the last call. For the thread.
  func take() -> Commands {
    commands.withLock { commands in
      let taken = commands
      commands.submissions = []
      commands.cancellations = []
      return taken
    }
  }
}
