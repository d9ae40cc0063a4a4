import CSandbox

/// What a worker process may do: read requests, write answers, and hold so much memory. Decoders have
/// bugs; this bounds what they cost.
enum WorkerSandbox {
  /// What the libraries' code takes of a worker's memory: the limit is on private memory, threads' stacks
  /// included, and with that code it keeps resident memory below what was asked for.
  private static let codeBytes = 72 << 20
  private static let openFiles: Int32 = 64

  /// Before libvips starts, so that its allocations count.
  ///
  /// - Parameter memory: resident bytes of the process.
  /// - Returns: false where a limit could not be set.
  static func limitProcess(memory: Int) -> Bool {
    ps_limit_process(max(memory - codeBytes, codeBytes), openFiles) == 0
  }

  /// After libvips has loaded its plug-ins: no network, files or programs from here on.
  ///
  /// - Returns: false on a kernel without filters, where the rest has to do.
  @discardableResult
  static func confine() -> Bool { ps_confine() == 0 }
}
