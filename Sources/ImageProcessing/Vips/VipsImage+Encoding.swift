import CVips

extension VipsImage {
  /// Without metadata. `quality` is libjpeg's, 1 to 100.
  func jpeg(quality: Int) throws(VipsFailure) -> [UInt8] {
    try VipsImage.encode { pv_save_jpeg(handle, Int32(min(max(quality, 1), 100)), $0, $1) }
  }

  /// Without metadata.
  func png() throws(VipsFailure) -> [UInt8] {
    try VipsImage.encode { pv_save_png(handle, $0, $1) }
  }

  static func encode(
    _ save: (UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>) -> Int32
  ) throws(VipsFailure) -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    try check(save(&bytes, &count))
    defer { pv_free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
