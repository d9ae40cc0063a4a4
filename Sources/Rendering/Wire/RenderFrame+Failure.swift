extension RenderFrame {
  /// Why a frame could not be sent or received.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The peer is gone: nothing can be sent, or the stream ended inside a frame.
    case closed
    case timedOut
    /// A call to the system failed for another reason; its name and `errno`.
    case system(String, Int32)
    /// What came instead of the magic, at most eight bytes.
    case notAFrame([UInt8])
    /// The peer speaks another version.
    case version(UInt32)
    case headerTooLong(Int, limit: Int)
    case payloadTooLong(Int, limit: Int)
    /// The header is not the JSON that was expected.
    case header(String)

    public var description: String {
      switch self {
      case .closed: "the other side closed the connection"
      case .timedOut: "the other side did not get done in time"
      case .system(let call, let code): "\(call) failed: \(systemMessage(code))"
      case .notAFrame(let bytes): "this is no render frame; it begins with \(bytes)"
      case .version(let theirs):
        "the other side speaks version \(theirs) of the render frame and this one \(RenderFrame.version); "
          + "install preheat and preheat-render of the same release"
      case .headerTooLong(let count, let limit):
        "a frame header of \(count) bytes was announced, and the limit is \(limit)"
      case .payloadTooLong(let count, let limit):
        "a payload of \(count) bytes was announced, and the limit is \(limit)"
      case .header(let reason): "the frame header is not what was expected: \(reason)"
      }
    }
  }
}
