#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Results could not be written to where they were to go.
public struct StreamFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The system's `errno`.
  public var code: Int32

  public init(code: Int32) {
    self.code = code
  }

  public var description: String { "the output cannot be written: " + String(cString: strerror(code)) }

  public var exitCode: ExitCode {
    switch code {
    case ENOSPC, EDQUOT, EROFS, EFBIG: .notWritable
    default: .unexpected
    }
  }
}
