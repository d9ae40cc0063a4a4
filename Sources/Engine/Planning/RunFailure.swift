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
  /// All that the message says but the URL, where it begins with one: what failures have in common that are told
  /// together. Nil in older records too.
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
