/// Why a rendition was not made, or a source not had: the step, a bounded code, words and advice.
package struct RunFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// Where on the way of the data it failed.
  package enum Step: String, Hashable, Sendable, Codable, CaseIterable {
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
  /// The message without the URL that it begins with: what failures that are printed together have in common.
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

  private enum CodingKeys: String, CodingKey {
    case step, code, message, advice, cause
    case isRetryable = "retryable"
  }

  package var description: String { "\(message) (\(code))" }

  package var redacted: RunFailure {
    RunFailure(
      step: step, code: code, message: URLRedaction.redacted(message),
      advice: advice.map(URLRedaction.redacted), isRetryable: isRetryable,
      cause: cause.map(URLRedaction.redacted))
  }
}
