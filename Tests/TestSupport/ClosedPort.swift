import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A port of 127.0.0.1 at which nobody answers, and which nobody else is given either for as long as the value lives.
public final class ClosedPort: Sendable {
  public struct Failure: Error {}

  public let number: Int
  private let descriptor: Int32

  public init() throws {
    // Bound but not listening: connections are refused.
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    guard descriptor >= 0 else { throw Failure() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    number = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else {
      close(descriptor)
      throw Failure()
    }
  }

  deinit { close(descriptor) }
}
