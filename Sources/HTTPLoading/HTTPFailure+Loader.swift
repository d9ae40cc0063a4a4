extension HTTPFailure {
  static let cancelled = HTTPFailure(.cancelled, "the download was cancelled", isRetryable: true)
  static let shutDown = HTTPFailure(
    .cancelled, "the download was cancelled, since the loader was shut down", isRetryable: true)
  static let noDescriptor = HTTPFailure(
    .network, "no file descriptor was left for the connection; raise the limit (ulimit -n)",
    isRetryable: true)
  static let noHandle = HTTPFailure(
    .network, "libcurl could not begin a transfer; memory or file descriptors may be short",
    isRetryable: true)
}
