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
  ///   - confinement: told in every answer.
  ///   - draws: false refuses every request, because nothing confines the decoders.
  static func run(
    input: Int32 = 0, output: Int32 = 1, stage: WorkerStage? = nil, confinement: Confinement? = nil,
    draws: Bool = true
  ) -> Bool {
    let render = { (request: RenderRequest, bytes: [UInt8]) -> (answer: RenderAnswer, payloads: [[UInt8]]) in
      var (answer, payloads) =
        draws ? ImageRenderer.render(request, bytes) : (RenderAnswer(refusing: request), [])
      answer.confinement = confinement
      return (answer, payloads)
    }
    while true {
      do throws(RenderFrame.Failure) {
        guard try answerNext(input, output, stage, render) else { return true }
      } catch {
        return false
      }
    }
  }

  /// A function of its own, so that everything of one picture is gone before the next one is read.
  private static func answerNext(
    _ input: Int32, _ output: Int32, _ stage: WorkerStage?,
    _ render: (RenderRequest, [UInt8]) -> (answer: RenderAnswer, payloads: [[UInt8]])
  ) throws(RenderFrame.Failure) -> Bool {
    let frame = try RenderFrame.read(
      RenderRequest.self, from: input, maxHeader: longestHeader, maxPayload: longestPayload)
    guard let frame else { return false }
    stage?.set(.rendering)
    let (answer, payloads) = render(frame.header, frame.payload)
    stage?.set(.talking)
    try RenderFrame.write(answer, payload: payloads, to: output)
    return true
  }
}

extension RenderAnswer {
  /// None of the request's outputs is made, because nothing confines the decoders.
  fileprivate init(refusing request: RenderRequest) {
    self.init(source: nil, outputs: request.outputs.map { _ in .failed(Confinement.refusal) })
  }
}
