/// What an argument of a signpost says. A closed set, so that logs can be grouped by it.
public enum SignpostKey: String, Hashable, Sendable, CaseIterable {
  /// Name and port of a server.
  case host
  /// The chain of a rendition as the job names it.
  case chain
  /// The number of a worker, from 1.
  case worker
  case job, url, file, code, format, step
  /// HTTP status.
  case status
  /// Which further attempt it is; 0 for the first.
  case attempt
  case bytes, count, width, height
  /// Nanoseconds that a worker was at work.
  case busy
  /// False where an interval ended by a failure.
  case succeeded
}
