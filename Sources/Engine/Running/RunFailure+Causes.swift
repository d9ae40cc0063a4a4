import Fetching
import JobFile
import Pictures
import Planning

extension RunFailure {
  init(_ failure: RenderFailure) {
    self.init(step: .render, code: failure.code.rawValue, message: failure.message, advice: failure.advice)
  }
}

extension RenderFailure {
  fileprivate var advice: String? {
    switch code {
    case .format:
      "use a \(ImageFormat.trusted.names(joinedBy: "or")), or allow "
        + ImageFormat.allCases.filter { !ImageFormat.trusted.contains($0) }.names(joinedBy: "or")
        + " with --allow-format"
    case .truncated, .damaged: "upload the picture again; a damaged one never enters a cache"
    case .limit: "make the picture smaller, or raise the limit by its flag or in the job"
    case .timeout: "make the picture smaller, or raise --render-timeout"
    // The message of a worker's failure says what to do.
    case .memory: "make the picture smaller, or raise --max-memory"
    case .worker, .size, .encode, .crash, .cancelled: nil
    }
  }
}

extension SourceWork {
  var request: HTTPRequest {
    HTTPRequest(url: url, headers: headers.map { HTTPHeader(name: $0.name, value: $0.value) })
  }
}

extension NetworkRules {
  /// The loader's configuration with the job's own rules in it.
  func apply(to configuration: HTTPConfiguration, credentials: HTTPSigning.Credentials?) -> HTTPConfiguration
  {
    var configuration = configuration
    configuration.allowPrivate += values[JobKey.allowPrivate]
    let limits = values[JobKey.rateLimit].map {
      HTTPRateLimit(host: $0.host, requestsPerSecond: $0.requestsPerSecond, burst: $0.burst)
    }
    configuration.rateLimits = limits + configuration.rateLimits
    if let most = values[JobKey.perHost] { configuration.maxConcurrentPerHost = most }
    if let credentials {
      configuration.signings += values[JobKey.signature].map {
        HTTPSigning(host: $0.host, scope: $0.scope, credentials: credentials)
      }
    }
    return configuration
  }
}
