/// Bodies on their way to those who keep them, so that a process that is killed loses one chunk at most.
extension TransferLoop {
  func fillSinks() {
    guard watchedLoads > 0 else { return }
    for id in owners.values {
      guard let load = loads[id], load.submission.sink != nil, let transfer = load.transfer,
        fillSink(of: load, from: transfer, atLeast: HTTPBodyChunk.size)
      else { continue }
      load.drained = transfer.bodyCount
    }
  }

  /// - Parameter count: bytes that have to have come since the last time.
  /// - Returns: whether the sink got some.
  @discardableResult
  func fillSink(of load: Load, from transfer: CurlTransfer, atLeast count: Int) -> Bool {
    guard let sink = load.submission.sink, transfer.bodyCount - load.drained >= count else { return false }
    sink(transfer.chunk(from: load.drained))
    return true
  }
}
