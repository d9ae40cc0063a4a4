import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Bombs and broken files, each in a real worker. Whatever they are, they cost an answer.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Corpus.isHere && WorkerProcess.executable != nil))
struct HostileFileTests {
  static let outputs: [RenderRequest.Output] = [
    .init(steps: [], encoding: .original), .init(steps: [.resize(100, 100)], encoding: .png),
    .init(steps: [.thumbnail(50, always: false), .circle(border: nil)], encoding: .png),
  ]
  static let mostMemory = 512 << 20

  @Test func bombsAreRefusedByTheirHeaders() throws {
    let worker = try WorkerProcess()
    for (name, bytes) in try Corpus.files("bombs") {
      let request = RenderRequest(outputs: Self.outputs, formats: Set(ImageFormat.allCases))
      let (answer, _) = try worker.render(request, bytes)
      for result in answer.outputs {
        guard case .failed(let failure) = result else {
          Issue.record("\(name): \(result)")
          continue
        }
        #expect([.limit, .format, .damaged].contains(failure.code), "\(name): \(failure)")
      }
    }
    #expect(try worker.peakMemory() < 100 << 20)
    #expect(try worker.end() == 0)
  }

  /// With the limits raised the memory of the process is what holds.
  @Test(arguments: try Corpus.files("bombs").filter { !$0.name.hasSuffix("tif") }.map(\.name))
  func aBombThatIsLetInStaysInsideTheWorkersMemory(name: String) throws {
    let limits = RenderLimits(
      maxPixels: 1 << 40, maxSide: 1 << 20, maxAnimationPixels: 1 << 50, maxDecodeBytes: 1 << 40, seconds: 30)
    let bytes = try #require(try Corpus.files("bombs").first { $0.name == name }).bytes
    let worker = try WorkerProcess()
    do {
      let (answer, _) = try worker.render(
        RenderRequest(outputs: [Self.outputs[1]], limits: limits, formats: ImageFormat.trusted), bytes)
      #expect(answer.outputs.count == 1)
      #expect(try worker.peakMemory() < Self.mostMemory)
    } catch let failure as RenderFrame.Failure {
      // It died of it, which is clean too.
      #expect(failure == .closed)
    }
  }

  @Test func brokenFilesAreRefusedOrTrulyDecodable() throws {
    let worker = try WorkerProcess()
    let request = RenderRequest(outputs: Self.outputs, formats: Set(ImageFormat.allCases))
    for (name, bytes) in try Corpus.files("odd") {
      let (answer, payload) = try worker.render(request, bytes)
      #expect(answer.outputs.count == Self.outputs.count, "\(name)")
      let counts = answer.outputs.map { result in
        if case .encoded(_, _, _, let count, _) = result { count } else { 0 }
      }
      #expect(payload.count == counts.reduce(0, +), "\(name)")
    }
    #expect(try worker.peakMemory() < Self.mostMemory)
    #expect(try worker.end() == 0)
  }

  @Test(arguments: [
    "truncated_image.png", "broken.png", "broken_data_stream.png", "zero_width.gif",
  ])
  func whatLostPixelsIsNeverASuccess(name: String) throws {
    let bytes = try #require(try Corpus.files("odd").first { $0.name == name }).bytes
    #expect(proof(bytes) != nil)
    #expect(failure { try render(bytes, [.resize(10, 10, upscale: true)]) } != nil)
  }
}
