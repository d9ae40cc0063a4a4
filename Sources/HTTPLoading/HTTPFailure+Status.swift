extension HTTPFailure {
  /// A later request may be answered differently: the server was busy, restarting, or waited in vain.
  static let retryableStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// The failure that an answer outside 200 to 299 is.
  init(status: Int, place: RedactedURL) {
    let advice =
      switch status {
      case 401, 403: "; check the `header` lines of the job"
      case 404, 410: "; check the URL"
      case 429: "; lower the number of parallel downloads"
      default: ""
      }
    let phrase = Self.phrases[status].map { " \($0)" } ?? ""
    self.init(
      .status, "\(place): the server answered \(status)\(phrase)\(advice)", status: status,
      isRetryable: Self.retryableStatuses.contains(status))
  }

  /// Names of RFC 9110, section 15, and RFC 6585. The server's own phrase is not to be trusted in a message.
  private static let phrases: [Int: String] = [
    300: "Multiple Choices", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized",
    402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
    410: "Gone", 412: "Precondition Failed", 414: "URI Too Long", 416: "Range Not Satisfiable",
    421: "Misdirected Request", 425: "Too Early", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout",
  ]
}
