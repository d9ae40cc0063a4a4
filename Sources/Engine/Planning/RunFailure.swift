/// Why a rendition was not made: the step, a bounded code, words and advice.
package struct RunFailure: Error, Hashable, Sendable, Codable {
  /// Where on the way of the data it failed.
  package enum Step: String, Hashable, Sendable, Codable {
    case plan, fetch, render, store
  }

  package var step: Step
  /// One of a bounded set, for machines: `fetch.timeout`, `image.truncated`, ...
  package var code: String
  package var message: String
  /// What a person can do about it.
  package var advice: String?
  /// A later run may succeed without any change of the job.
  package var isRetryable: Bool
  /// The message without the URL that it begins with: what failures that are told together have in common.
  package var cause: String?

  package init(
    step: Step, code: String, message: String, advice: String? = nil, isRetryable: Bool = false,
    cause: String? = nil
  ) {
    self.step = step
    self.code = code
    self.message = message
    self.cause = cause
    self.advice = advice
    self.isRetryable = isRetryable
  }
}

/// Why the cache or its state folder could not be written. Each ends the run, not one picture.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// No space, quota or a read-only file system.
    case full = "store.full"
    case notWritable = "store.not-writable"
    /// Another run holds the lock.
    case locked = "store.locked"
    case ledger = "store.ledger"
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(message) (\(code.rawValue))" }
}
