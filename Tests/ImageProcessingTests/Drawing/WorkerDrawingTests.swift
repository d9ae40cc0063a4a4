import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct WorkerDrawingTests {
  /// One of each step, so that all of them travel.
  static let chains: [[RenderStep]] = {
    let controls = RenderStep.ColorControls(brightness: 0.1, contrast: 1.1, saturation: 0.4, exposure: 0.3)
    let target = RenderStep.Resizing(width: 40, height: 30, contentMode: nil, scale: 2)
    return [
      [.resizing(60, 60, .aspectFill), .boxBlur(width: 5, passes: 3, keepsOpaque: false)],
      [
        .cropping(width: 50, height: 20, anchorX: 0.3, anchorY: 0.7, scale: 2),
        RenderStep(controls),
      ],
      [
        .cornerRounding(
          radius: .heightFraction(0.3), corners: [.topLeft, .bottomRight], target: target, background: nil)
      ],
      [
        .overlay(color: .red, fraction: 0.4),
        .edgeLine(width: 3, color: .white, radius: .pixels(9), corners: .all),
      ],
      [.tint(.init([10, 200, 90, 100])), .blend(mode: .luminosity, alpha: 0.7, background: .red)],
      [.filter(.sharpenLuminance), .filter(.photoEffectNoir)],
    ]
  }()

  @Test func everyWorkerDrawsTheSameBytes() throws {
    let source = try TestPicture.noise(300, 200).jpeg()
    let request = RenderRequest(outputs: Self.chains.map { .init(steps: $0, encoding: .png) })
    let here = ImageRenderer.render(request, source)
    #expect(here.payloads.count == Self.chains.count)
    for _ in 0..<2 {
      let worker = try WorkerProcess()
      let there = try worker.render(request, source)
      #expect(there.answer == here.answer)
      #expect(there.payload == Array(here.payloads.joined()))
      #expect(try worker.end() == 0)
    }
  }

  @Test func aTargetIsReachedFromFewerPixels() throws {
    // A photograph is decoded at a half or less; the result must not show it.
    let picture = TestPicture.gradient(700, 500)
    let target = RenderStep.Resizing(width: 90, height: 60, contentMode: nil, scale: 1)
    let rounding = RenderStep.CornerRounding(
      radius: .pixels(9), corners: .all, target: target, background: .white)
    for step in [RenderStep.resizing(target), RenderStep(rounding)] {
      let shrunk = try render(picture.jpeg(quality: 100), [step]).image()
      let whole = try render(picture.png(), [step]).image()
      #expect((shrunk.width, shrunk.height) == (90, 60))
      #expect(isNear(shrunk.samples.map(Int.init), whole.samples.map(Int.init), by: 6))
    }
  }
}
