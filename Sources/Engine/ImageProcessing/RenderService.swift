import CSandbox
import Glibc
import Rendering

/// Answers one render request after the other, until there are no more.
struct RenderService {
  /// Stream sockets or pipes; may be the same.
  var input: Int32 = 0
  var output: Int32 = 1
  /// Receives how far the request at hand is.
  var stage: WorkerStage?
  /// Part of every answer.
  var confinement: Confinement?
  /// False refuses every request, because nothing confines the decoders.
  var draws = true

  private let requests = FrameHeaders<RenderRequest>()
  private let answers = FrameHeaders<RenderAnswer>()

  /// Limits of a request's announced sizes; a picture's own limits come with the request.
  private static let longestHeader = 16 << 20
  private static let longestPayload = 256 << 20
  /// Words on the way are not closer to each other: each wakes the coordinator.
  private static let silence = Duration.milliseconds(50)

  /// - Returns: true when the requests ended between two frames or this process is to make way, false when the other
  ///   side is gone or does not speak ``RenderFrame``.
  func run() -> Bool {
    while true {
      guard let goesOn = try? answerNext() else { return false }
      if !goesOn { return true }
    }
  }

  /// A function of its own, so that everything of one picture is gone before the next one is read.
  private func answerNext() throws -> Bool {
    let frame = try RenderFrame.read(
      RenderRequest.self, from: input, known: requests, maxHeader: Self.longestHeader,
      maxPayload: Self.longestPayload)
    guard let frame else { return false }
    stage?.set(.rendering)
    var (answer, payloads) =
      draws
      ? ImageRenderer.render(frame.header, frame.payload, made: report(of: frame.header))
      // Nothing confines the decoders.
      : (
        RenderAnswer(source: nil, outputs: frame.header.outputs.map { _ in .failed(Confinement.refusal) }), []
      )
    // A decoder without its threads calls the picture damaged; the status says what was missing.
    let failures = answer.failures
    let isSaid = failures.contains { $0.message.firstRange(of: "create thread") != nil }
    if !failures.isEmpty, ps_lacks_threads(isSaid ? 1 : 0) != 0 {
      _exit(Int32(PS_NO_PROCESSES))
    }
    answer.confinement = confinement
    stage?.set(.talking)
    try RenderFrame.write(answer, payload: payloads, to: output, known: answers)
    guard frame.header.isLast != true else {
      stage?.set(.leaving)
      return false
    }
    return true
  }

  private func report(of request: RenderRequest) -> (Int) -> Void {
    guard request.reportsProgress == true else { return { _ in } }
    var last = ContinuousClock.now
    return { count in
      let now = ContinuousClock.now
      guard now - last >= Self.silence else { return }
      last = now
      stage?.set(.talking)
      defer { stage?.set(.rendering) }
      // Where the connection is closed the answer itself will say so.
      var word = RenderAnswer()
      word.progress = count
      try? RenderFrame.write(word, to: output, known: answers)
    }
  }
}
