import Rendering

/// Answers one render request after the other, until there are no more.
enum RenderService {
  /// What is believed of a request's announced sizes; a picture's own limits come with the request.
  private static let longestHeader = 16 << 20
  private static let longestPayload = 256 << 20

  /// - Parameters:
  ///   - input, output: stream sockets or pipes; may be the same.
  ///   - stage: told how far the request at hand is.
  /// - Returns: true when the requests ended between two frames, false when the other side is gone or
  ///   does not speak ``RenderFrame``.
  static func run(input: Int32 = 0, output: Int32 = 1) -> Bool {
    run(input: input, output: output, stage: nil)
  }

  static func run(input: Int32 = 0, output: Int32 = 1, stage: WorkerStage?) -> Bool {
    while true {
      do throws(RenderFrame.Failure) {
        guard try answerNext(input, output, stage) else { return true }
      } catch {
        return false
      }
    }
  }

  /// A function of its own, so that everything of one picture is gone before the next one is read.
  private static func answerNext(
    _ input: Int32, _ output: Int32, _ stage: WorkerStage?
  ) throws(RenderFrame.Failure) -> Bool {
    let frame = try RenderFrame.read(
      RenderRequest.self, from: input, maxHeader: longestHeader, maxPayload: longestPayload)
    guard let frame else { return false }
    stage?.set(.rendering)
    let reportsProgress = frame.header.reportsProgress == true
    let (answer, payloads) = ImageRenderer.render(frame.header, frame.payload) { count in
      guard reportsProgress else { return }
      stage?.set(.talking)
      defer { stage?.set(.rendering) }
      // Where nobody listens any more the answer itself will say so.
      try? RenderFrame.write(RenderAnswer(progress: count), payload: [UInt8](), to: output)
    }
    stage?.set(.talking)
    try RenderFrame.write(answer, payload: payloads, to: output)
    return true
  }
}
