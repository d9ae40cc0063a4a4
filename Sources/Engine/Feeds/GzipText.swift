import CZlib

/// Unpacks gzip piece by piece; files of gzip may follow one another (RFC 1952, section 2.2).
final class GzipText {
  private var stream = z_stream()
  private let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
  private var isAtEnd = false

  init() throws(FeedFault) {
    // fits: a structure's size.
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      piece.deallocate()
      throw FeedFault("there is no memory to unpack it")
    }
  }

  deinit {
    inflateEnd(&stream)
    piece.deallocate()
  }

  /// Hands out what a piece of the file becomes.
  func unpack(
    _ bytes: UnsafeBufferPointer<UInt8>, _ take: (UnsafeBufferPointer<UInt8>) throws(FeedFault) -> Void
  ) throws(FeedFault) {
    stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
    // fits: a piece of a file.
    stream.avail_in = UInt32(bytes.count)
    // zlib is to hold no pointer to what is gone.
    defer { (stream.next_in, stream.avail_in) = (nil, 0) }
    while true {
      if isAtEnd {
        // Zeros fill the last block of some media.
        guard stream.avail_in > 0, stream.next_in?.pointee == 0x1F, inflateReset(&stream) == Z_OK else {
          return
        }
        isAtEnd = false
      }
      stream.next_out = piece.baseAddress
      // fits: 64 KiB.
      stream.avail_out = UInt32(piece.count)
      let code = inflate(&stream, Z_NO_FLUSH)
      guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
        throw FeedFault("its gzip is damaged")
      }
      isAtEnd = code == Z_STREAM_END
      let count = piece.count - Int(stream.avail_out)
      if count > 0 { try take(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece).prefix(count))) }
      // More may be waiting inside zlib where it filled the whole piece.
      if !isAtEnd, stream.avail_in == 0, count < piece.count { return }
    }
  }

  func finish() throws(FeedFault) {
    guard isAtEnd else { throw FeedFault("its gzip ends too early") }
  }
}
