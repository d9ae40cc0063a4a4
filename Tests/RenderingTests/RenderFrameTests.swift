import Foundation
import TestSupport
import Testing

@testable import Pictures
@testable import Rendering

/// Both ends of a socket, closed with the value.
private struct Wire: ~Copyable {
  let pair: DescriptorPair

  init() throws { pair = try DescriptorPair(isBlocking: true) }

  var near: Int32 { pair.ours.raw }
  var far: Int32 { pair.theirs.raw }

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
    let first = try #require(try RenderFrame.read(Note.self, from: wire.far, maxPayload: 1))
    #expect(first.header == Note(text: "one"))
    #expect(first.payload == [7])
    let second = try #require(try RenderFrame.read(Note.self, from: wire.far, maxPayload: 1))
    #expect(second.header == Note(text: "two"))
    #expect(second.payload.isEmpty)
    #expect(try RenderFrame.read(Note.self, from: wire.far, maxPayload: 1) == nil)
  }

  @Test func aPayloadLargerThanAnySocketBufferGoesThrough() async throws {
    let wire = try Wire()
    let payload = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let far = wire.far
    let reader = OwnThread { try RenderFrame.read(Note.self, from: far, maxPayload: 1 << 22)?.payload }
    try RenderFrame.write(
      Note(text: "large"), payload: [payload, payload.reversed()].map { Array($0.prefix(1_500_000)) },
      to: wire.near)
    let received = try await reader.value
    #expect(received == Array(payload.prefix(1_500_000)) + payload.reversed().prefix(1_500_000))
  }

  @Test func everyCutInsideAFrameIsAnError() throws {
    let whole = frame()
    for length in 1..<whole.count {
      let wire = try Wire()
      try wire.sendRaw(Array(whole.prefix(length)))
      wire.hangUp()
      #expect(throws: RenderFrame.Failure.closed, "cut at \(length)") {
        try RenderFrame.read(Note.self, from: wire.far, maxPayload: 10)
      }
    }
  }

  @Test(arguments: [
    (frame(magic: "GARB"), RenderFrame.Failure.notAFrame(Array("GARB".utf8) + [2, 0, 0, 0])),
    (frame(version: 3), .version(3)),
    (frame(headerLength: 5000), .headerTooLong(5000, limit: 4096)),
    (frame(headerLength: 0xFFFF_FFFF), .headerTooLong(0xFFFF_FFFF, limit: 4096)),
    (frame(payloadLength: 11), .payloadTooLong(11, limit: 10)),
    (frame(payloadLength: -1), .payloadTooLong(.max, limit: 10)),
  ])
  func whatIsNotToBeBelievedIsRefusedAtOnce(_ bytes: [UInt8], _ expected: RenderFrame.Failure) throws {
    let wire = try Wire()
    try wire.sendRaw(bytes)
    #expect(throws: expected) {
      try RenderFrame.read(Note.self, from: wire.far, maxHeader: 4096, maxPayload: 10)
    }
  }

  @Test(arguments: ["{", "[]", #"{"text":1,"number":1}"#, "\0\0"])
  func aHeaderOfAnotherShapeIsRefused(_ json: String) throws {
    let wire = try Wire()
    try wire.sendRaw(frame(header: Array(json.utf8)))
    let failure = try #require(throws: RenderFrame.Failure.self) {
      try RenderFrame.read(Note.self, from: wire.far, maxPayload: 10)
    }
    guard case .header = failure else {
      Issue.record("\(failure)")
      return
    }
  }

  @Test func numbersThatJSONLacksArrive() throws {
    let wire = try Wire()
    for number in [Double.nan, .infinity, -.infinity, 33.3 * 3] {
      try RenderFrame.write(Note(text: "n", number: number), to: wire.near)
      let header = try #require(try RenderFrame.read(Note.self, from: wire.far, maxPayload: 0)).header
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
    #expect(throws: RenderFrame.Failure.timedOut) {
      try RenderFrame.read(Note.self, from: wire.far, maxPayload: 10, deadline: soon())
    }
    try wire.sendRaw(Array(frame().prefix(10)))
    #expect(throws: RenderFrame.Failure.timedOut) {
      try RenderFrame.read(Note.self, from: wire.far, maxPayload: 10, deadline: soon())
    }
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
    try answer.write(payload: [[7, 8], [9]], to: wire.far, known: FrameHeaders())
    let read = try #require(try RenderAnswer.read(from: wire.near, maxPayload: 100))
    #expect(read.header == answer)
    #expect(read.payload == [7, 8, 9])
    try RenderFrame.write(answer, payload: [[UInt8](repeating: 1, count: 7)], to: wire.far)
    #expect(throws: RenderFrame.Failure.header("sizes of results are missing")) {
      try RenderAnswer.read(from: wire.near, maxPayload: 100)
    }
  }
}
