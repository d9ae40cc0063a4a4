import Foundation
import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct SystemCallTests {
  @Test func aCallThatASignalInterruptsIsMadeAgain() throws {
    var calls = 0
    let result = try SystemCall.check("count", "/calls") {
      calls += 1
      errno = EINTR
      return calls < 3 ? -1 : 7
    }
    #expect(result == 7 && calls == 3)
  }

  @Test func aFailureSaysWhatWasTriedOnWhat() {
    let failure = #expect(throws: SystemCall.Failure.self) {
      try SystemCall.check("open", "/no/such/file") { open("/no/such/file", O_RDONLY) }
    }
    #expect(failure?.errno == ENOENT)
    #expect(failure?.message == "cannot open /no/such/file: No such file or directory")
  }

  @Test(
    arguments: [
      ([0x61, 0xE9, 0x62], "a\\xE9b"), ([0xC3, 0xA9], "é"), ([], ""), ([0xF0, 0x9F], "\\xF0\\x9F"),
      ([0xED, 0xA0, 0x80, 0x2F, 0xFF], "\\xED\\xA0\\x80/\\xFF"),
    ] as [([UInt8], String)])
  func bytesThatAreNoTextAreShown(bytes: [UInt8], text: String) {
    #expect(String(showing: bytes) == text)
  }

  @Test func aDeviceThatIsFullStopsAWrite() {
    let device = open("/dev/full", O_WRONLY)
    guard device >= 0 else { return }
    defer { close(device) }
    #expect(!Array("text".utf8).withUnsafeBytes { SystemCall.write(device, $0) })
    #expect(errno == ENOSPC)
  }

  @Test func aPipeIsReadToItsEndInPiecesOfAnySize() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    for piece in ["ab", "c", "def"] {
      #expect(Array(piece.utf8).withUnsafeBytes { SystemCall.write(ends[1], $0) })
    }
    close(ends[1])
    defer { close(ends[0]) }
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(buffer.withUnsafeMutableBytes { SystemCall.read(ends[0], into: $0) } == 4)
    #expect(buffer == Array("abcd".utf8))
    #expect(buffer.withUnsafeMutableBytes { SystemCall.read(ends[0], into: $0) } == 2)
  }

  @Test func whatCannotBeReadIsSaid() {
    var buffer = [UInt8](repeating: 0, count: 20)
    #expect(buffer.withUnsafeMutableBytes { SystemCall.read(-1, into: $0) } == -1)
  }
}
