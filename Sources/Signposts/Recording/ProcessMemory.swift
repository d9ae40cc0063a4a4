#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What this process holds of the machine's memory.
enum ProcessMemory {
  /// Resident bytes: the second number of `/proc/self/statm`, in pages (proc(5)). 0 where there is none.
  @Sendable static func resident() -> Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return fields.dropFirst().first.flatMap { Int($0) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
  }
}
