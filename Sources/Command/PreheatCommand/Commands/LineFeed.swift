import Foundation
import JobFile
import Scheduling
import Text

/// Lines of standard input as they come, some at a time. On a thread of its own, since it waits.
actor LineFeed {
  private let executor = BlockingExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let descriptor: Int32
  /// Bytes that were read but not returned yet: whole lines, then the beginning of one.
  private var bytes: [UInt8] = []
  /// Of the next line.
  private var number = 1
  private var isAtEnd = false
  /// Why the stream broke off.
  private(set) var failure: StreamFailure?

  /// Few enough to answer the first soon, enough to keep all workers busy.
  private static let mostLines = 64
  /// A line that is longer is told as too long; its rest is dropped.
  private static let longestLine = 1 << 20

  init(_ descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

  /// The next lines, at least one; nil at the end of the stream, or when the task is cancelled.
  func next() -> StreamedLines? {
    while !Task.isCancelled {
      if let end = endOfSome() {
        let lines = StreamedLines(bytes: Array(bytes[..<end]), firstNumber: number)
        number += lines.bytes.count { $0 == UInt8(ascii: "\n") }
        bytes.removeFirst(end)
        return lines
      }
      if isAtEnd { return nil }
      readMore()
    }
    return nil
  }

  /// Behind the last line that is handed out next; nil where none is whole.
  private func endOfSome() -> Int? {
    var end: Int?
    var count = 0
    var place = 0
    while count < Self.mostLines, let next = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) {
      place = next + 1
      end = place
      count += 1
    }
    if end == nil, isAtEnd, !bytes.isEmpty { return bytes.count }
    return end
  }

  private func readMore() {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Now and then, to see whether the run is being stopped.
    guard poll(&request, 1, 200) > 0 else { return }
    let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = SystemCall.repeated { read(descriptor, buffer.baseAddress, buffer.count) }
      if count < 0 {
        failure = StreamFailure(code: errno)
        count = 0
      }
    }
    if chunk.isEmpty { isAtEnd = true }
    // Of a line that nobody can mean only so much is kept as shows that it is too long.
    if bytes.count > Self.longestLine, !bytes.contains(UInt8(ascii: "\n")) {
      bytes += chunk.firstIndex(of: UInt8(ascii: "\n")).map { chunk[$0...] } ?? []
    } else {
      bytes += chunk
    }
  }
}
