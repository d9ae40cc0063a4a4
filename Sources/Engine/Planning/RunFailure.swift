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

  package init(step: Step, code: String, message: String, advice: String? = nil, isRetryable: Bool = false) {
    self.step = step
    self.code = code
    self.message = message
    self.advice = advice
    self.isRetryable = isRetryable
  }
}
