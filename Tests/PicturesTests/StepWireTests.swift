import Foundation
import Testing

@testable import Pictures

/// The text of a step decides whether a cached file is current, and a worker reads it: it may not change unnoticed.
@Suite(.timeLimit(.minutes(10))) struct StepWireTests {
  static let color = RenderStep.Color(red: 1, green: 0, blue: 0.5, alpha: 0.25)
  static let border = RenderStep.Border(width: 2, color: color)
  static let target = RenderStep.Resizing(width: 40, height: 30.5, contentMode: nil, scale: 2)

  static let text = #"{"alpha":0.25,"blue":0.5,"green":0,"red":1}"#
  static let line = #"{"color":\#(text),"width":2}"#
  static let points = #"{"height":30.5,"isBitmap":false,"keepsSmaller":false,"scale":2,"width":40}"#

  /// One of each, and some with less in them.
  static let steps: [(step: RenderStep, text: String)] = [
    (
      .thumbnail(size: .maxPixelSize(64), fromImageIfAbsent: true, fromImageAlways: false),
      #"{"thumbnail":{"_0":{"fromImageAlways":false,"fromImageIfAbsent":true,"size":{"maxPixelSize":{"_0":64}}}}}"#
    ),
    (
      .thumbnail(
        size: .flexible(width: 64, height: 32.5, contentMode: .aspectFit), fromImageIfAbsent: true,
        fromImageAlways: true),
      #"{"thumbnail":{"_0":{"fromImageAlways":true,"fromImageIfAbsent":true,"size":{"flexible":{"contentMode":"aspectFit","height":32.5,"width":64}}}}}"#
    ),
    (
      .resize(
        width: 320, height: 1.5, contentMode: .aspectFill, crop: true, upscale: false, cropEnlarges: true),
      #"{"resize":{"_0":{"contentMode":"aspectFill","crop":true,"cropEnlarges":true,"height":1.5,"isBitmap":false,"upscale":false,"width":320}}}"#
    ),
    (.circle(border: nil), #"{"circle":{}}"#),
    (.circle(border: border), #"{"circle":{"border":\#(line)}}"#),
    (.wideCircle(border: border), #"{"wideCircle":{"border":\#(line)}}"#),
    (.roundedCorners(radius: 8.5, border: nil), #"{"roundedCorners":{"radius":8.5}}"#),
    (.roundedCorners(radius: 8, border: border), #"{"roundedCorners":{"border":\#(line),"radius":8}}"#),
    (.gaussianBlur(radius: 4, keepsOpaque: false), #"{"gaussianBlur":{"keepsOpaque":false,"radius":4}}"#),
    (
      .boxBlur(width: 5, passes: 3, keepsOpaque: true),
      #"{"boxBlur":{"_0":{"keepsOpaque":true,"passes":3,"width":5}}}"#
    ),
    (.resizing(target), #"{"resizing":{"_0":\#(points)}}"#),
    (
      .resizing(.init(width: 1, height: 2, contentMode: .aspectFill, scale: 1, keepsSmaller: true)),
      #"{"resizing":{"_0":{"contentMode":"aspectFill","height":2,"isBitmap":false,"keepsSmaller":true,"scale":1,"width":1}}}"#
    ),
    (
      .cropping(width: 10, height: 20, anchorX: 0.5, anchorY: 1, scale: 3),
      #"{"cropping":{"_0":{"anchorX":0.5,"anchorY":1,"height":20,"scale":3,"width":10}}}"#
    ),
    (
      .cornerRounding(
        radius: .pixels(4), corners: [.topLeft, .bottomRight], target: nil, background: nil),
      #"{"cornerRounding":{"_0":{"corners":9,"radius":{"pixels":{"_0":4}}}}}"#
    ),
    (
      .cornerRounding(radius: .widthFraction(0.5), corners: .all, target: target, background: color),
      #"{"cornerRounding":{"_0":{"background":\#(text),"corners":15,"radius":{"widthFraction":{"_0":0.5}},"target":\#(points)}}}"#
    ),
    (
      .edgeLine(width: 3, color: color, radius: .heightFraction(0.1), corners: .all),
      #"{"edgeLine":{"_0":{"color":\#(text),"corners":15,"radius":{"heightFraction":{"_0":0.1}},"width":3}}}"#
    ),
    (.overlay(color: color, fraction: 0.5), #"{"overlay":{"color":\#(text),"fraction":0.5}}"#),
    (.tint(color), #"{"tint":{"_0":\#(text)}}"#),
    (
      .colorControls(brightness: 0.1, contrast: 1.1, saturation: 0, exposure: 0.7),
      #"{"colorControls":{"_0":{"brightness":0.1,"contrast":1.1,"exposure":0.7,"saturation":0}}}"#
    ),
    (
      .blend(mode: .softLight, alpha: 0.5, background: nil),
      #"{"blend":{"_0":{"alpha":0.5,"mode":8}}}"#
    ),
    (
      .blend(mode: .plusLighter, alpha: 1, background: color),
      #"{"blend":{"_0":{"alpha":1,"background":\#(text),"mode":27}}}"#
    ),
    (
      .colorBlend(mode: .sourceIn, color: color),
      #"{"colorBlend":{"_0":{"color":\#(text),"mode":18}}}"#
    ),
    (.flip(horizontal: true, vertical: false), #"{"flip":{"horizontal":true,"vertical":false}}"#),
    (
      .rotation(cosine: 0.5, sine: -0.75, fitsCanvas: true),
      #"{"rotation":{"_0":{"cosine":0.5,"fitsCanvas":true,"sine":-0.75}}}"#
    ),
    (
      .region(left: 1, top: 2, width: 3, height: 4.5),
      #"{"region":{"_0":{"height":4.5,"left":1,"top":2,"width":3}}}"#
    ),
    (.letterbox(width: 30, height: 20), #"{"letterbox":{"_0":{"height":20,"width":30}}}"#),
    (
      .framing(inset: 2, radius: 8, corners: [.topRight], line: nil),
      #"{"framing":{"_0":{"corners":2,"inset":2,"radius":8}}}"#
    ),
    (
      .framing(
        inset: 2, radius: 8, corners: .all, line: .init(inset: 1, width: 2, radius: 4, color: color)),
      #"{"framing":{"_0":{"corners":15,"inset":2,"line":{"color":\#(text),"inset":1,"radius":4,"width":2},"radius":8}}}"#
    ),
    (.filter(.sepiaTone), #"{"filter":{"_0":"sepiaTone"}}"#),
    (.filter(.sepiaTone, amounts: [0.5]), #"{"filter":{"_0":"sepiaTone","amounts":[0.5]}}"#),
  ]

  @Test(arguments: steps) func eachStepHasItsText(step: RenderStep, text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    #expect(String(decoding: try encoder.encode(step), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(RenderStep.self, from: Data(text.utf8)) == step)
  }

  @Test func eachKnownStepIsAmongThem() {
    let names = Set(Self.steps.map(\.step.name))
    #expect(names == Set(RenderStep.known.map { $0.name }))
    #expect(names.count == RenderStep.known.count)
  }

  @Test(arguments: [
    #"{"sharpen":{"_0":{}}}"#, "{}", #"{"circle":{},"tint":{}}"#, #"{"resize":{}}"#, #"{"tint":{"red":1}}"#,
    "[]",
  ])
  func otherTextIsRefused(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(RenderStep.self, from: Data(text.utf8)) }
  }

  @Test func stepsAreEqualByNameAndParameters() {
    #expect(RenderStep.circle(border: nil) != .wideCircle(border: nil))
    #expect(RenderStep.circle(border: nil) != .circle(border: Self.border))
    #expect(Set(Self.steps.map(\.step)).count == Self.steps.count)
    #expect(Set([RenderStep.tint(Self.color), .tint(Self.color)]).count == 1)
  }
}
