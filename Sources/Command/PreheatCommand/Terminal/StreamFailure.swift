import Foundation
import Text

/// Results could not be written to where they were to go.
package struct StreamFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The system's `errno`.
  package var code: Int32

  package var description: String { "the output cannot be written: " + SystemCall.words(code) }

  package var exitCode: ExitCode {
    switch code {
    case ENOSPC, EDQUOT, EROFS, EFBIG: .notWritable
    default: .unexpected
    }
  }
}
