import Text

/// The wire form between the pool and a worker process: one frame a message, in both directions.
///
///     offset  size  little-endian
///          0     4  "PHRF"
///          4     4  version of the frame
///          8     4  length of the header
///         12     8  length of the payload
///         20        header: JSON
///                   payload: bytes as they are
///
/// For a stream socket (`socketpair`): writing to one whose peer is gone is an error and no SIGPIPE.
package enum RenderFrame {
  /// Grows with every change that an older peer could not read.
  static let version: UInt32 = 2

  static let magic = Array("PHRF".utf8)
  static let prefixSize = 20

  /// A payload up to this size goes out in one call with its header, so that the peer wakes once.
  private static let joined = 256 << 10

  /// Writes one frame. The buffers of the payload go out as they are, one after the other.
  ///
  /// - Parameters:
  ///   - known: The headers that this side has written before.
  ///   - deadline: Nil waits as long as the peer takes.
  /// - Throws: ``Failure``. The stream is then of no further use: part of the frame may be out.
  package static func write<Header: Codable & Hashable>(
    _ header: Header, payload: [[UInt8]] = [], to descriptor: Int32, known: FrameHeaders<Header>? = nil,
    deadline: ContinuousClock.Instant? = nil
  ) throws {
    let json = try (known ?? FrameHeaders()).json(of: header)
    var head = magic
    head.append(littleEndian: version)
    // fits: a request or an answer has some kilobytes.
    head.append(littleEndian: UInt32(json.count))
    let size = payload.reduce(0) { $0 + $1.count }
    head.append(littleEndian: UInt64(size))
    head.append(contentsOf: json)
    let stream = BlockingStream(descriptor: descriptor, deadline: deadline)
    if size <= joined {
      try stream.write(payload.reduce(into: head) { $0 += $1 })
    } else {
      try stream.write(head)
      for buffer in payload { try stream.write(buffer) }
    }
  }

  /// Reads one frame; nil where the stream ends before its first byte.
  ///
  /// - Parameters:
  ///   - known: The headers that this side has read before.
  ///   - maxHeader: Bytes of JSON that are still believed.
  ///   - maxPayload: Bytes of payload that are still believed; memory is taken for what was announced.
  ///   - deadline: For the whole frame. Nil waits as long as the peer takes.
  /// - Throws: ``Failure``. The stream is then of no further use.
  package static func read<Header: Codable & Hashable>(
    _ type: Header.Type, from descriptor: Int32, known: FrameHeaders<Header>? = nil,
    maxHeader: Int = 1 << 20, maxPayload: Int, deadline: ContinuousClock.Instant? = nil
  ) throws -> (header: Header, payload: [UInt8])? {
    let stream = BlockingStream(descriptor: descriptor, deadline: deadline)
    let prefix = try stream.read(prefixSize, isFirst: true)
    guard !prefix.isEmpty else { return nil }
    guard prefix.starts(with: magic) else {
      throw Failure.invalid("this is not a render frame; it begins with \(prefix.prefix(8))")
    }
    let theirs = prefix.littleEndian(at: 4, size: 4)
    guard theirs == version else {
      throw Failure.invalid(
        "the other side has version \(theirs) of the render frame and this one \(version); "
          + "install preheat and preheat-render of the same release")
    }
    let headerSize = prefix.littleEndian(at: 8, size: 4)
    let payloadSize = prefix.littleEndian(at: 12, size: 8)
    for (name, size, limit) in [("header", headerSize, maxHeader), ("payload", payloadSize, maxPayload)]
    where size > UInt64(limit) {
      throw Failure.invalid("a \(name) of \(size) bytes was announced, and the limit is \(limit)")
    }
    let header = try (known ?? FrameHeaders()).header(of: try stream.read(Int(headerSize)))
    return (header, try stream.read(Int(payloadSize)))
  }

  /// Why a frame could not be sent or received.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The peer is gone: nothing can be sent, or the stream ended inside a frame.
    case closed
    case timedOut
    /// A call to the system failed for another reason; its name and `errno`.
    case system(String, Int32)
    /// What came is not a frame of this version, or not one that was expected.
    case invalid(String)

    package var description: String {
      switch self {
      case .closed: "the other side closed the connection"
      case .timedOut: "the other side did not finish in time"
      case .system(let call, let code): "\(call) failed: \(SystemCall.words(code))"
      case .invalid(let reason): reason
      }
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian number: some FixedWidthInteger & UnsignedInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate func littleEndian(at offset: Int, size: Int) -> UInt64 {
    self[offset..<offset + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
