import Foundation
import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct TextStreamTests {
  @Test func textsAreWrittenWhole() throws {
    let capture = try Capture()
    let large = String(repeating: "ä", count: 300_000)
    try capture.stream.write("a")
    try capture.stream.write("")
    try capture.stream.write(large)
    #expect(capture.text == "a" + large)
    #expect(!capture.stream.readerIsGone)
  }

  @Test func aReaderThatHasGoneIsNoFailure() async {
    await #expect(processExitsWith: .exitCode(7)) {
      StandardStreams.ignoreSignals()
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { exit(1) }
      close(ends[0])
      let stream = TextStream(descriptor: ends[1])
      try stream.write("first")
      guard stream.readerIsGone else { exit(2) }
      try stream.write("second")
      exit(7)
    }
  }

  @Test func aFullDiskIsAFailureWithItsOwnExitCode() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let stream = TextStream(descriptor: descriptor)
    let failure = #expect(throws: StreamFailure.self) { try stream.write("text") }
    #expect(failure?.code == ENOSPC)
    #expect(failure?.exitCode == .notWritable)
    #expect(failure?.description == "the output cannot be written: No space left on device")
  }

  @Test func aDescriptorThatIsNotOpenIsAnUnexpectedFailure() {
    let failure = #expect(throws: StreamFailure.self) { try TextStream(descriptor: -1).write("text") }
    #expect(failure?.exitCode == .unexpected)
  }

  @Test func aDescriptorThatDoesNotBlockGetsEverything() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    // More than a pipe holds, so that writing has to wait for the reader.
    let text = String(repeating: "0123456789", count: 50_000)
    let reader = OwnThread {
      FileHandle(fileDescriptor: reading, closeOnDealloc: false).readDataToEndOfFile()
    }
    try TextStream(descriptor: writing).write(text)
    close(writing)
    #expect(try await reader.value.count == text.count)
    close(reading)
  }
}
