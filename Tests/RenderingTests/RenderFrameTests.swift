import Foundation
import TestSupport
import Testing

@testable import Pictures
@testable import Rendering

/// Both ends of a socket, closed with the value.
private struct Wire: ~Copyable {
  private let pair: DescriptorPair

  init() throws { pair = try DescriptorPair(isBlocking: true) }

  var near: Int32 { pair.ours.raw }
  var far: Int32 { pair.theirs.raw }

  func read(deadline: ContinuousClock.Instant? = nil) throws -> (header: Note, payload: [UInt8])? {
    try RenderFrame.read(Note.self, from: far, maxHeader: 4096, maxPayload: 10, deadline: deadline)
  }

  func sendRaw(_ bytes: [UInt8]) throws {
    try BlockingStream(descriptor: near, deadline: nil).write(bytes)
  }

  func hangUp() { shutdown(near, Int32(SHUT_WR)) }
}

private struct Note: Codable, Hashable, Sendable {
  var text: String
  var number: Double = 1
}

private func littleEndian(_ value: Int, _ size: Int) -> [UInt8] {
  (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

private func frame(
  magic: String = "PHRF", version: Int = 2, header: [UInt8] = Array(#"{"text":"a","number":1}"#.utf8),
  headerLength: Int? = nil, payload: [UInt8] = [1, 2, 3], payloadLength: Int? = nil
) -> [UInt8] {
  Array(magic.utf8) + littleEndian(version, 4)
    + littleEndian(headerLength ?? header.count, 4)
    + littleEndian(payloadLength ?? payload.count, 8) + header + payload
}

@Suite(.timeLimit(.minutes(10)))
struct RenderFrameTests {
  @Test func theFormIsTheDocumentedOne() throws {
    let wire = try Wire()
    try RenderFrame.write(Note(text: "a"), payload: [[1, 2], [], [3]], to: wire.near)
    wire.hangUp()
    let bytes = try BlockingStream(descriptor: wire.far, deadline: nil).read(20)
    #expect(bytes.prefix(8).elementsEqual(Array("PHRF".utf8) + [2, 0, 0, 0]))
    let headerLength = Int(bytes[8])
    #expect(bytes[9...].elementsEqual([0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]))
    let rest = try BlockingStream(descriptor: wire.far, deadline: nil).read(headerLength + 3)
    #expect(try JSONDecoder().decode(Note.self, from: Data(rest.dropLast(3))) == Note(text: "a"))
    #expect(rest.suffix(3).elementsEqual([1, 2, 3]))
  }

  @Test func framesFollowEachOtherUntilTheEnd() throws {
    let wire = try Wire()
    try RenderFrame.write(Note(text: "one"), payload: [[7]], to: wire.near)
    try RenderFrame.write(Note(text: "two"), to: wire.near)
    wire.hangUp()
    #expect(try #require(try wire.read()) == (Note(text: "one"), [7]))
    #expect(try #require(try wire.read()) == (Note(text: "two"), []))
    #expect(try wire.read() == nil)
  }

  @Test func aPayloadLargerThanAnySocketBufferGoesThrough() async throws {
    let wire = try Wire()
    let payload = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let far = wire.far
    let reader = OwnThread { try RenderFrame.read(Note.self, from: far, maxPayload: 1 << 23)?.payload }
    try RenderFrame.write(Note(text: "large"), payload: [payload, payload.reversed()], to: wire.near)
    #expect(try await reader.value == payload + payload.reversed())
  }

  @Test func everyCutInsideAFrameIsAnError() throws {
    let whole = frame()
    for length in 1..<whole.count {
      let wire = try Wire()
      try wire.sendRaw(Array(whole.prefix(length)))
      wire.hangUp()
      #expect(throws: RenderFrame.Failure.closed, "cut at \(length)") { try wire.read() }
    }
  }

  @Test(arguments: [
    (frame(magic: "GARB"), "this is not a render frame; it begins with [71, 65, 82, 66, 2, 0, 0, 0]"),
    (frame(version: 3), "the other side has version 3 of the render frame and this one 2; "),
    (frame(headerLength: 5000), "a header of 5000 bytes was announced, and the limit is 4096"),
    (frame(headerLength: 0xFFFF_FFFF), "a header of 4294967295 bytes was announced"),
    (frame(payloadLength: 11), "a payload of 11 bytes was announced, and the limit is 10"),
    (frame(payloadLength: -1), "a payload of 18446744073709551615 bytes was announced"),
    (frame(header: Array("{".utf8)), "the frame header is not what was expected: "),
    (frame(header: Array("[]".utf8)), "the frame header is not what was expected: "),
    (frame(header: Array(#"{"text":1,"number":1}"#.utf8)), "the frame header is not what was expected: "),
    (frame(header: [0, 0]), "the frame header is not what was expected: "),
  ])
  func whatIsNotToBeBelievedIsRefusedAtOnce(_ bytes: [UInt8], _ expected: String) throws {
    let wire = try Wire()
    try wire.sendRaw(bytes)
    let failure = try #require(throws: RenderFrame.Failure.self) { try wire.read() }
    #expect(failure.description.hasPrefix(expected))
  }

  @Test func numbersThatJSONLacksArrive() throws {
    let wire = try Wire()
    for number in [Double.nan, .infinity, -.infinity, 33.3 * 3] {
      try RenderFrame.write(Note(text: "n", number: number), to: wire.near)
      let header = try #require(try wire.read()).header
      #expect(header.number == number || (header.number.isNaN && number.isNaN))
    }
  }

  @Test func writingToSomebodyWhoIsGoneIsAnErrorAndNoSignal() throws {
    let wire = try Wire()
    shutdown(wire.far, Int32(SHUT_RDWR))
    #expect(throws: RenderFrame.Failure.closed) {
      try RenderFrame.write(Note(text: "a"), payload: [[UInt8](repeating: 0, count: 1 << 20)], to: wire.near)
    }
  }

  @Test func aPeerThatNeitherSendsNorTakesRunsIntoTheDeadline() throws {
    let wire = try Wire()
    let soon = { ContinuousClock.now + .milliseconds(30) }
    #expect(throws: RenderFrame.Failure.timedOut) { try wire.read(deadline: soon()) }
    try wire.sendRaw(Array(frame().prefix(10)))
    #expect(throws: RenderFrame.Failure.timedOut) { try wire.read(deadline: soon()) }
    #expect(throws: RenderFrame.Failure.timedOut) {
      try RenderFrame.write(
        Note(text: "a"), payload: [[UInt8](repeating: 0, count: 1 << 24)], to: wire.near, deadline: soon())
    }
  }

  @Test func aDescriptorThatIsNotOpenIsAnErrorOfTheSystem() throws {
    let failure = try #require(throws: RenderFrame.Failure.self) {
      try RenderFrame.read(Note.self, from: 1_000_000, maxPayload: 10)
    }
    #expect(failure.description.contains("Bad file descriptor"))
  }

  @Test func requestAndAnswerKeepTheirMeaning() throws {
    let border = RenderStep.Border(width: 2, color: .init(red: 1, green: 0, blue: 0.5, alpha: 0.25))
    let request = RenderRequest(
      outputs: [
        .init(
          steps: [
            .thumbnail(size: .maxPixelSize(256), fromImageIfAbsent: true, fromImageAlways: false),
            .thumbnail(
              size: .flexible(width: 33.3, height: 9, contentMode: .aspectFill), fromImageIfAbsent: true,
              fromImageAlways: true),
            .circle(border: border), .roundedCorners(radius: 4.5, border: nil),
            .gaussianBlur(radius: 8, keepsOpaque: true),
          ], encoding: .automatic(jpegQuality: 80)),
        .init(steps: [], encoding: .original), .init(steps: [], encoding: .jpeg(quality: 1)),
      ], limits: RenderLimits(seconds: .infinity), formats: [.heif, .jpeg], isStrict: true)
    let answer = RenderAnswer(
      source: .init(format: .gif, width: 1, height: 2, orientation: 6, hasAlpha: true, frames: 3),
      outputs: [
        .original, .failed(RenderFailure(.crash, "é\u{1}")),
        .encoded(format: .png, width: 1, height: 2, byteCount: 3, note: nil),
      ])
    let wire = try Wire()
    try RenderFrame.write(request, to: wire.near)
    #expect(try RenderFrame.read(RenderRequest.self, from: wire.far, maxPayload: 0)?.header == request)
    try RenderFrame.write(answer, payload: [[7, 8], [9]], to: wire.far)
    let read = try RenderFrame.read(RenderAnswer.self, from: wire.near, maxPayload: 100)
    #expect(try #require(read) == (answer, [7, 8, 9]))
  }

  @Test(arguments: [
    (2, 3, 24), (1, 1, 4), (0, 5, .max), (5, -1, .max), (-2, -2, .max), (.max, .max, .max),
    (1 << 40, 1 << 40, .max),
  ])
  func bytesAreCountedAndSizesThatMakeNoSenseAreEndless(width: Int, height: Int, bytes: Int) {
    let pixels = RenderPixels(width: width, height: height, channels: 3)
    #expect(pixels.byteCount == bytes)
    #expect(RenderAnswer.OutputResult.pixels(pixels, note: nil).payloadBytes == bytes)
  }

  @Test(arguments: [(5, 5, 10, 10), (0, 5, 10, .max), (5, 5, 0, .max), (5, 5, -1, .max)])
  func anEncodedResultIsBelievedOnlyWithASizeAndBytes(width: Int, height: Int, count: Int, bytes: Int) {
    let result = RenderAnswer.OutputResult.encoded(
      format: .png, width: width, height: height, byteCount: count, note: nil)
    #expect(result.payloadBytes == bytes)
    #expect(RenderAnswer.OutputResult.original.payloadBytes == 0)
  }
}
