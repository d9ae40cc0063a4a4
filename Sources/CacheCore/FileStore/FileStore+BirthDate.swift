#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension FileStore {
  /// When a file came into being, nil if there is none of this name or the file system does not remember.
  ///
  /// Linux tells it (`statx`, 4.11 and later) and lets nobody set it.
  public func birthDate(of name: String) -> Date? {
    guard Self.isFileName(name) else { return nil }
    #if os(Linux)
      return withUnsafeTemporaryAllocation(byteCount: StatxLayout.size, alignment: 8) { buffer in
        guard let status = buffer.baseAddress else { return nil }
        status.initializeMemory(as: UInt8.self, repeating: 0, count: buffer.count)
        let result = repeatingInterrupted {
          systemStatx(AT_FDCWD, path(of: name), StatxLayout.doNotFollow, StatxLayout.birthTime, status)
        }
        guard result == 0, status.load(as: UInt32.self) & StatxLayout.birthTime != 0 else { return nil }
        let seconds = status.load(fromByteOffset: StatxLayout.birthSeconds, as: Int64.self)
        let nanoseconds = status.load(fromByteOffset: StatxLayout.birthNanoseconds, as: UInt32.self)
        return timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds)).date
      }
    #else
      var status = stat()
      return lstat(path(of: name), &status) == 0 ? status.st_birthtimespec.date : nil
    #endif
  }
}

#if os(Linux)
  /// Where the kernel's `struct statx` has its fields (linux/stat.h; the same on every architecture). The C
  /// library hides it from Swift behind _GNU_SOURCE.
  private enum StatxLayout {
    static let size = 256
    static let birthSeconds = 80
    static let birthNanoseconds = 88
    static let birthTime: UInt32 = 0x800  // STATX_BTIME
    static let doNotFollow: Int32 = 0x100  // AT_SYMLINK_NOFOLLOW
  }

  @_silgen_name("statx") private func systemStatx(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32,
    _ status: UnsafeMutableRawPointer
  ) -> Int32
#endif
