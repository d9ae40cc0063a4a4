import Pictures
import Signposts

/// Sets the signposts of one worker: its own, and those that its process sends.
struct WorkerSignposts: Sendable {
  var signposts = Signposter.disabled
  /// From 1.
  var worker = 1

  /// More from one picture is dropped: a worker has decoded a stranger's bytes.
  private static let mostIntervals = 4096

  func begin(_ request: RenderRequest, bytes: [UInt8], labels: RenderLabels) -> SignpostInterval {
    signposts.beginInterval(
      .renderSource,
      metadata(labels, [.bytes: .integer(bytes.count), .count: .integer(request.outputs.count)]))
  }

  /// - Parameter intervals: What the process measured; times outside of `begin` to now are cut.
  func end(
    _ interval: SignpostInterval, from begin: Int64, intervals: [RenderInterval], of request: RenderRequest,
    labels: RenderLabels
  ) {
    guard signposts.isEnabled else { return }
    let now = SignpostClock.now
    for part in intervals.prefix(Self.mostIntervals) {
      let start = min(max(part.begin, begin), now)
      signposts.addInterval(
        part.name, from: start, to: min(max(part.end, start), now), in: interval,
        metadata(of: part, request, labels))
    }
    signposts.endInterval(interval)
  }

  func fail(_ interval: SignpostInterval, _ failure: RenderFailure) {
    signposts.endInterval(
      interval, [.succeeded: .flag(false), .code: .text(failure.code.rawValue)])
  }

  func emit(_ name: SignpostName, _ metadata: @autoclosure () -> SignpostMetadata = [:]) {
    signposts.emitEvent(name, self.metadata(RenderLabels(), metadata()))
  }

  private func metadata(_ labels: RenderLabels, _ more: SignpostMetadata) -> SignpostMetadata {
    let own: SignpostMetadata = [.worker: .integer(worker)]
    return own.merging(labels.source) { $1 }.merging(more) { $1 }
  }

  private func metadata(
    of part: RenderInterval, _ request: RenderRequest, _ labels: RenderLabels
  ) -> SignpostMetadata {
    var metadata: SignpostMetadata = [.worker: .integer(worker)]
    guard let output = part.output, request.outputs.indices.contains(output) else { return metadata }
    if labels.chains.indices.contains(output) { metadata[.chain] = .text(labels.chains[output]) }
    if let step = part.step, request.outputs[output].steps.indices.contains(step) {
      metadata[.step] = .text(request.outputs[output].steps[step].name)
    }
    return metadata
  }
}
