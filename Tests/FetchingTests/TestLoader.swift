import Foundation
import TestSupport

@testable import Fetching

extension HTTPConfiguration {
  /// Short waits before retries, and the loopback addresses of the test servers allowed.
  static var test: HTTPConfiguration {
    var configuration = HTTPConfiguration()
    configuration.allowPrivate = ["127.0.0.1"]
    configuration.retryDelay = .milliseconds(10)
    configuration.retries = 0
    // What hangs on purpose is cancelled by its test, which a busy machine may let wait.
    configuration.stallTimeout = .seconds(600)
    return configuration
  }

  func with(_ change: (inout HTTPConfiguration) -> Void) -> HTTPConfiguration {
    var copy = self
    change(&copy)
    return copy
  }
}

extension HTTPLoader {
  func load(_ url: String) async throws(HTTPFailure) -> HTTPResponse {
    try await load(HTTPRequest(url: url))
  }

  /// The failure of a load that is expected to fail.
  func failure(_ url: String) async -> HTTPFailure? {
    do throws(HTTPFailure) {
      _ = try await load(url)
      return nil
    } catch {
      return error
    }
  }
}

/// The body of the server's plain answers.
func plainBody(_ size: Int) -> [UInt8] { (0..<size).map { UInt8($0 % 251) } }

/// Leaves this process so many file descriptors in all.
func limitDescriptors(to count: UInt) {
  var limit = rlimit(rlim_cur: count, rlim_max: count)
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
