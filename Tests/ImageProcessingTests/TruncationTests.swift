import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Bombs and broken files, each in a real worker. Whatever they are, they cost an answer.
@Suite(.timeLimit(.minutes(10))) struct TruncationTests {
  /// A crop reads only some rows; the proof has to read them all.
  static let outputs: [RenderRequest.Output] = [
    .init(steps: [], encoding: .original), .init(steps: [.resize(20, 5, crop: true)], encoding: .png),
    .init(steps: [], encoding: .png),
  ]

  /// Every cut near the end, where decoders are forgiving, and some of the others.
  private func cuts(_ bytes: [UInt8]) -> [Int] {
    let dense = max(bytes.count - 250, 0)..<bytes.count
    return Array(stride(from: 0, to: dense.lowerBound, by: max(bytes.count / 60, 1))) + dense
  }

  /// - Returns: how many cuts passed, each of them with all its pixels.
  private func check(_ bytes: [UInt8], isStrict: Bool = false) throws -> Int {
    let request = RenderRequest(outputs: Self.outputs, isStrict: isStrict)
    let whole = ImageRenderer.render(request, bytes)
    try #require(!whole.payloads.isEmpty)
    var passed = 0
    for cut in cuts(bytes) {
      let (answer, payloads) = ImageRenderer.render(request, Array(bytes.prefix(cut)))
      if answer.outputs.first == .original {
        #expect(answer == whole.answer)
        #expect(payloads == whole.payloads, "a cut at \(cut) of \(bytes.count) bytes lost pixels")
        passed += 1
      } else {
        for result in answer.outputs {
          guard case .failed(let failure) = result else {
            Issue.record("a cut at \(cut) of \(bytes.count) bytes: \(result)")
            continue
          }
          let codes: [RenderFailure.Code] = [.truncated, .damaged, .format]
          #expect(codes.contains(failure.code), "\(failure)")
        }
      }
    }
    return passed
  }

  /// How many cuts may pass: a JPEG without its end mark and the padding before it, a PNG without its end chunk and the
  /// checksums before that, and a GIF without its trailer have all their pixels.
  @Test func aCutPictureIsNeverASuccess() throws {
    let picture = TestPicture.noise(60, 50)
    let files = [
      (try TestPicture.noise(120, 90).jpeg(), 0...3), (picture.png(), 0...24), (picture.gif(), 1...1),
      (tinyWebP, 0...0),
    ]
    for (bytes, passed) in files { #expect(passed.contains(try check(bytes))) }
    #expect(proof(Array(picture.gif(frames: 2).dropLast(2))) == .truncated)
    var damaged = picture.png()
    damaged[damaged.count / 2] ^= 0xFF
    #expect(proof(damaged) == .damaged)
  }

  /// From none to nine tenths of a frame's blocks, closed as a GIF is.
  @Test(arguments: [0, 1], 0...9) func aGIFWithSomeOfItsBlocksIsNeverASuccess(frame: Int, tenths: Int) throws
  {
    let picture = TestPicture.noise(60, 50)
    let whole = picture.gif()
    // The colours end at byte 397, the frame's head and code size at byte 408.
    let (head, blocks) = (whole[397..<408], Array(whole[408..<whole.count - 2]))
    let cut = blocks.prefix(blocks.count / 256 * tenths / 10 * 256)
    let before = frame == 0 ? whole[..<397] : whole[..<(whole.count - 1)]
    let bytes = Array(before + head + cut + [0, 0x3B])
    #expect(proof(bytes) == .truncated)
    #expect(failure { try render(bytes, [.resize(20, 5, crop: true)]) } == .truncated)
    // Filled with zeros, and as much as it was.
    let zeros = [UInt8](repeating: 0, count: whole.count - 1 - cut.count - 408)
    #expect(proof(Array(before + head + cut + zeros)) == .truncated)
  }

  private static let isHere = Corpus.isHere && WorkerProcess.executable != nil
  static let hostileOutputs: [RenderRequest.Output] = [
    .init(steps: [], encoding: .original), .init(steps: [.resize(100, 100)], encoding: .png),
    .init(steps: [.thumbnail(50, always: false), .circle(border: nil)], encoding: .png),
  ]
  static let mostMemory = 512 << 20

  @Test(.enabled(if: isHere)) func bombsAreRefusedByTheirHeaders() throws {
    let worker = try WorkerProcess()
    for (name, bytes) in try Corpus.files("bombs") {
      let request = RenderRequest(outputs: Self.hostileOutputs, formats: Set(ImageFormat.allCases))
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
  @Test(
    .enabled(if: isHere),
    arguments: try Corpus.files("bombs").filter { !$0.name.hasSuffix("tif") }.map(\.name))
  func aBombThatIsLetInStaysInsideTheWorkersMemory(name: String) throws {
    let limits = RenderLimits(
      maxPixels: 1 << 40, maxSide: 1 << 20, maxAnimationPixels: 1 << 50, maxDecodeBytes: 1 << 40, seconds: 30)
    let bytes = try #require(try Corpus.files("bombs").first { $0.name == name }).bytes
    let worker = try WorkerProcess()
    do {
      let (answer, _) = try worker.render(
        RenderRequest(outputs: [Self.hostileOutputs[1]], limits: limits, formats: ImageFormat.trusted), bytes)
      #expect(answer.outputs.count == 1)
      #expect(try worker.peakMemory() < Self.mostMemory)
    } catch let failure as RenderFrame.Failure {
      // It died of it, which is clean too.
      #expect(failure == .closed)
    }
  }

  @Test(.enabled(if: isHere)) func brokenFilesAreRefusedOrTrulyDecodable() throws {
    let worker = try WorkerProcess()
    let request = RenderRequest(outputs: Self.hostileOutputs, formats: Set(ImageFormat.allCases))
    for (name, bytes) in try Corpus.files("odd") {
      let (answer, payload) = try worker.render(request, bytes)
      #expect(answer.outputs.count == Self.hostileOutputs.count, "\(name)")
      let counts = answer.outputs.map { result in
        if case .encoded(_, _, _, let count, _) = result { count } else { 0 }
      }
      #expect(payload.count == counts.reduce(0, +), "\(name)")
    }
    #expect(try worker.peakMemory() < Self.mostMemory)
    #expect(try worker.end() == 0)
  }

  @Test(
    .enabled(if: isHere),
    arguments: [
      "truncated_image.png", "broken.png", "broken_data_stream.png", "zero_width.gif",
    ])
  func whatLostPixelsIsNeverASuccess(name: String) throws {
    let bytes = try #require(try Corpus.files("odd").first { $0.name == name }).bytes
    #expect(proof(bytes) != nil)
    #expect(failure { try render(bytes, [.resize(10, 10, upscale: true)]) } != nil)
  }
}
