/// Bytes of a stranger's file: outside them there is nil.
struct FileBytes {
  private let buffer: UnsafeRawBufferPointer

  init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  package var count: Int { buffer.count }

  subscript(offset: Int) -> UInt8? { buffer.indices.contains(offset) ? buffer[offset] : nil }

  package func has(_ bytes: [UInt8], at offset: Int) -> Bool {
    offset + bytes.count <= buffer.count && buffer[offset..<(offset + bytes.count)].elementsEqual(bytes)
  }

  package func bigEndian(_ size: Int, at offset: Int) -> Int? {
    guard offset + size <= buffer.count else { return nil }
    return buffer[offset..<(offset + size)].reduce(0) { $0 << 8 | Int($1) }
  }

  package func littleEndian(_ size: Int, at offset: Int) -> Int? {
    guard offset + size <= buffer.count else { return nil }
    return buffer[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
