/// A cryptographic digest that takes its message in pieces.
///
/// A value type: a copy goes on by itself, so the digest of a prefix costs one copy.
public protocol MessageDigest: Sendable {
  init()

  /// Appends `bytes` to the message.
  mutating func update(_ bytes: UnsafeRawBufferPointer)

  /// The digest of the message so far. More may follow.
  func finalize() -> [UInt8]
}

extension MessageDigest {
  /// Appends `bytes` to the message. Contiguous collections are read in place, others are copied.
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    let inPlace: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if inPlace == nil {
      Array(bytes).withUnsafeBytes { update($0) }
    }
  }

  /// The digest of a message that is at hand as a whole.
  public static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var digest = Self()
    digest.update(bytes)
    return digest.finalize()
  }

  /// The digest of the text's UTF-8 bytes as lower-case hexadecimal text. Text is taken as it is: two
  /// Unicode normal forms of one word give two digests.
  public static func hexadecimal(of text: String) -> String {
    CacheCore.hexadecimal(hash(text.utf8))
  }
}
