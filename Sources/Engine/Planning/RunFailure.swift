import Pictures

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

  package init(_ failure: RenderFailure) {
    self.init(step: .render, code: failure.code.rawValue, message: failure.message, advice: failure.advice)
  }
}

extension RenderFailure {
  fileprivate var advice: String? {
    switch code {
    case .format: "use a JPEG, PNG, GIF or WebP, or allow TIFF, HEIF or AVIF with --allow-format"
    case .truncated, .damaged: "upload the picture again; a damaged one never enters a cache"
    case .limit: "make the picture smaller, or raise the limit by its flag or in the job"
    case .timeout: "make the picture smaller, or raise --timeout"
    // What keeps a worker from its work says itself what to do.
    case .memory: "make the picture smaller, or raise --max-memory"
    case .worker, .size, .encode, .crash, .cancelled: nil
    }
  }
}
