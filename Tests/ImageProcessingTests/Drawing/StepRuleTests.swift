import Testing

@testable import Pictures

/// What a step says of itself holds for what is drawn.
@Suite(.timeLimit(.minutes(10))) struct StepRuleTests {
  /// A value of each step.
  static let steps: [RenderStep] = {
    let color = RenderStep.Color(red: 1, green: 0.5, blue: 0, alpha: 0.5)
    let border = RenderStep.Border(width: 2, color: color)
    let target = RenderStep.Resizing(width: 25, height: 31.5, contentMode: nil, scale: 2)
    return [
      .thumbnail(33), .resize(40, 31, crop: true), .resize(900, 900), .resizing(60, 21, .aspectFit),
      .letterbox(width: 50, height: 70.5),
      .cropping(width: 20.5, height: 11, anchorX: 0.3, anchorY: 1, scale: 2),
      .region(left: 3.5, top: -2, width: 40, height: 20), .circle(border: border),
      .wideCircle(border: border), .roundedCorners(radius: 5, border: border),
      .cornerRounding(radius: .pixels(4), corners: .all, target: target, background: color),
      .edgeLine(width: 3, color: color, radius: .heightFraction(0.1), corners: .all),
      .framing(
        inset: 2, radius: 8, corners: [.topRight], line: .init(inset: 1, width: 2, radius: 7, color: color)),
      .flip(horizontal: true, vertical: true), .rotation(cosine: 0.8, sine: 0.6, fitsCanvas: true),
      .rotation(cosine: 0.8, sine: 0.6, fitsCanvas: false),
      .gaussianBlur(radius: 2, keepsOpaque: false), .boxBlur(width: 5, passes: 2, keepsOpaque: true),
      .overlay(color: color, fraction: 0.5), .tint(color),
      .colorControls(brightness: 0.1, contrast: 1.1, saturation: 0, exposure: 0.7),
      .blend(mode: .softLight, alpha: 0.5, background: color),
      .colorBlend(mode: .sourceIn, color: color), .filter(.sepiaTone),
    ]
  }()

  @Test func eachKnownStepIsTried() {
    #expect(Set(Self.steps.map(\.name)) == Set(RenderStep.known.map { $0.name }))
  }

  @Test(arguments: steps) func theSizeIsTheOneThatIsDrawn(step: RenderStep) throws {
    for (width, height) in [(120, 80), (81, 130), (400, 300)] {
      let rendered = try render(TestPicture.gradient(width, height).png(), [step])
      #expect(try step.value.size(of: (width, height)) == (rendered.width, rendered.height))
    }
  }

  /// Only a step that draws all of the picture into a rectangle is drawn from rows.
  @Test(arguments: steps) func aStepHasAPlaceOrNeedsAllPixels(step: RenderStep) throws {
    let placement = try step.value.placement(of: (1200, 800))
    if !step.value.isPlaced { #expect(placement == nil) }
    if let placement {
      #expect(try step.value.size(of: (1200, 800)) == (placement.canvas.width, placement.canvas.height))
    }
    #expect(step.value.embedded == .never)
  }

  @Test func aThumbnailTellsItsFlags() {
    func embedded(_ ifAbsent: Bool, _ always: Bool) -> EmbeddedUse {
      RenderStep.thumbnail(64, ifAbsent: ifAbsent, always: always).value.embedded
    }
    #expect(embedded(true, true) == .never)
    #expect(embedded(false, true) == .never)
    #expect(embedded(true, false) == .prefer)
    #expect(embedded(false, false) == .only)
  }
}
