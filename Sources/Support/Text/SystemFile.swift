import Foundation

/// The files in which Linux tells about itself. They have no size until they are read.
package enum SystemFile {
  /// All that a file says, without the line breaks at its end; nil where it cannot be read, or on another system.
  package static func text(_ path: String) -> String? {
    let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = buffer.withUnsafeMutableBytes { SystemCall.read(descriptor, into: $0) }
      guard count >= 0 else { return nil }
      bytes += buffer.prefix(count)
      if count < buffer.count { break }
    }
    while let last = bytes.last, last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Which start of the machine this is; elsewhere than on Linux all are taken for one.
  package static let boot = text("/proc/sys/kernel/random/boot_id") ?? "-"
}
