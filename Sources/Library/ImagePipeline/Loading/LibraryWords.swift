import Pictures

// The engine's failures name settings of a job and flags of the command. What leaves the library names its properties.

extension RenderFailure {
  /// The same failure with the advice that holds for a program.
  var inWordsOfLibrary: RenderFailure {
    var failure = self
    for limit in RenderLimits.Name.allCases {
      failure.message = failure.message.replacing(
        "(\(limit.rawValue))", with: "(RenderLimits.\(limit))")
    }
    failure.advice =
      switch code {
      case .format:
        advice ?? "use a \(ImageFormat.trusted.names(joinedBy: "or")), or allow "
          + "\(ImageFormat.optional.names(joinedBy: "or")) in `formats`"
      case .limit: "make the picture smaller, or raise the limit in `limits`"
      case .timeout: "make the picture smaller, or raise RenderLimits.seconds"
      case .memory: "make the picture smaller, or lower RenderLimits.maxDecodeBytes to refuse it undecoded"
      case .processes: advice
      case .truncated, .damaged, .worker, .size, .encode, .crash, .cancelled: nil
      }
    return failure
  }

  /// What to do, as the end of a sentence; empty where there is no advice.
  var adviceInWords: String { advice.map { "; \($0)" } ?? "" }
}
