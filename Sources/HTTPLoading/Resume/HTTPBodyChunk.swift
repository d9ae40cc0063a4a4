/// A piece of a body that is still coming in, with the answer that it belongs to.
public struct HTTPBodyChunk: Sendable {
  public var status: Int
  /// All fields of the answer in their order.
  public var fields: [HTTPHeader]
  /// What the answer said of its length, nil where it said nothing.
  public var announcedLength: Int64?
  /// Where `bytes` begins in the answer's body. At 0 a new answer begins.
  public var offset: Int
  public var bytes: [UInt8]

  /// How much has to have come before a sink is called. A killed process loses no more than this.
  public static let size = 1 << 20

  /// Called on the loader's own thread, so it has to return soon.
  public typealias Sink = @Sendable (HTTPBodyChunk) -> Void

  public init(
    status: Int, fields: [HTTPHeader], announcedLength: Int64?, offset: Int, bytes: [UInt8]
  ) {
    self.status = status
    self.fields = fields
    self.announcedLength = announcedLength
    self.offset = offset
    self.bytes = bytes
  }
}
