import CSandbox

/// What a worker process may do: read requests, write answers, and hold so much memory. Decoders have
/// bugs; this bounds what they cost.
enum WorkerSandbox {
  /// Bounds private memory, threads' stacks included; with the libraries' code it keeps a worker's
  /// resident memory below 512 MB.
  static let dataBytes = 440 << 20
  private static let openFiles: Int32 = 64

  /// Before libvips starts, so that its allocations count.
  ///
  /// - Returns: false where a limit could not be set.
  static func limitProcess() -> Bool { ps_limit_process(dataBytes, openFiles) == 0 }

  /// After libvips has loaded its plug-ins: no network, files or programs from here on.
  ///
  /// - Returns: false on a kernel without filters, where the rest has to do.
  @discardableResult
  static func confine() -> Bool { ps_confine() == 0 }
}
