import Concurrency

@testable import Fetching

/// The clock of an HTTP cache, and the server behind it: the answers that it gives in turn, and the requests that came.
final class PlayedServer: Sendable {
  private struct State {
    var answers: [HTTPResponse] = []
    var repeatsLast = true
    var failure = HTTPFailure(.connect, "gone", isRetryable: true)
    var requests: [HTTPRequest] = []
  }

  private let state = Locked(State())
  private let clock = Locked<Int64>(784_111_777)

  func advance(_ seconds: Int64) { clock.withLock { $0 += seconds } }

  var now: @Sendable () -> Int64 { { [clock] in clock.withLock { $0 } } }

  func fetch(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
    let (answer, failure) = state.withLock { state -> (HTTPResponse?, HTTPFailure) in
      state.requests.append(request)
      let answer = state.answers.first
      if state.answers.count > 1 || !state.repeatsLast { state.answers = Array(state.answers.dropFirst()) }
      return (answer, state.failure)
    }
    guard let answer else { throw failure }
    return answer
  }

  /// Behind these answers it is gone, unless it gives the last one again.
  func give(_ answers: [HTTPResponse], repeatsLast: Bool = true) {
    state.withLock { ($0.answers, $0.repeatsLast) = (answers, repeatsLast) }
  }

  func set(_ status: Int = 200, _ body: [UInt8] = [1, 2, 3], _ fields: [String: String]) {
    give([HTTPResponse(status: status, body: body, fields: [HTTPHeader](fields))])
  }

  var count: Int { state.withLock { $0.requests.count } }
  var lastHeaders: [HTTPHeader] { state.withLock { $0.requests.last?.headers ?? [] } }
}
