import CBrotli

/// Unpacks brotli (RFC 7932).
package enum Brotli {
  /// Nil where the text is damaged, or ends too early and is no part; more than `limit` bytes where it is larger.
  package static func unpacked(_ body: [UInt8], limit: Int, isPart: Bool = false) -> [UInt8]? {
    guard let decoder = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
    defer { BrotliDecoderDestroyInstance(decoder) }
    return body.withUnsafeBufferPointer { bytes in
      var (left, next) = (bytes.count, bytes.baseAddress)
      var unpacked: [UInt8] = []
      while unpacked.count <= limit {
        var room = 0
        let result = BrotliDecoderDecompressStream(decoder, &left, &next, &room, nil, nil)
        var count = 0
        let piece = BrotliDecoderTakeOutput(decoder, &count)
        unpacked.append(contentsOf: UnsafeBufferPointer(start: piece, count: count))
        switch result {
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
        case BROTLI_DECODER_RESULT_SUCCESS: return unpacked
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT where isPart: return unpacked
        default: return nil
        }
      }
      return unpacked
    }
  }
}
