import CZlib

/// Unpacks gzip, zlib's own format or bare deflate, piece by piece.
package final class Inflater {
  package enum Format: Int32 {
    case gzip = 31
    /// gzip, or zlib's own format: the first bytes say which.
    case wrapped = 47
    case bare = -15
  }

  private var stream = z_stream()
  private let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
  /// True where the last piece was full: more of it may be waiting inside zlib.
  private var isFull = false
  /// The text is whole, as far as it has been read.
  package private(set) var isAtEnd = false

  /// Nil where there is no memory.
  package init?(_ format: Format) {
    // fits: a structure's size.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, format.rawValue, ZLIB_VERSION, size) == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(&stream)
    piece.deallocate()
  }

  /// Whether there is something to do for ``unpack(_:into:)``.
  package func canUnpack(_ input: ArraySlice<UInt8>) -> Bool { !input.isEmpty || isFull }

  /// Appends at most 64 KiB of what the input becomes, and takes off what it has read. Files of gzip may follow one
  /// another (RFC 1952, section 2.2); anything else behind the end is left out.
  ///
  /// - Returns: false where the input is damaged.
  package func unpack(_ input: inout ArraySlice<UInt8>, into output: inout [UInt8]) -> Bool {
    if isAtEnd {
      guard input.first == 0x1F, input.count < 2 || input[input.startIndex + 1] == 0x8B,
        inflateReset(&stream) == Z_OK
      else {
        input = []
        return true
      }
      isAtEnd = false
    }
    let (code, rest) = input.withUnsafeBufferPointer { bytes in
      stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
      // fits: a piece of a file, or a body below its limit.
      stream.avail_in = UInt32(clamping: bytes.count)
      stream.next_out = piece.baseAddress
      // fits: 64 KiB.
      stream.avail_out = UInt32(piece.count)
      // zlib is to hold no pointer to what is gone.
      defer { stream.next_in = nil }
      return (inflate(&stream, Z_NO_FLUSH), Int(stream.avail_in))
    }
    input = input.suffix(rest)
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return false }
    isAtEnd = code == Z_STREAM_END
    isFull = !isAtEnd && stream.avail_out == 0
    output.append(contentsOf: UnsafeBufferPointer(piece).prefix(piece.count - Int(stream.avail_out)))
    return true
  }
}
