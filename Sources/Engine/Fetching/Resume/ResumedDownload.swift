/// A download that goes on where an earlier one ended (RFC 9110, sections 13.1.5, 14 and 15.3.7).
package struct ResumedDownload: Sendable {
  /// The body from its first byte on, so far as it is there.
  let bytes: [UInt8]
  /// A strong `ETag`, or else `Last-Modified`.
  let validator: String
  /// Bytes of the whole as the first answer announced them, where that is known.
  let total: Int?

  /// Fetches what is missing and joins it with what is there.
  ///
  /// - Returns: The whole, or the answer that it is not modified; nil where nothing can be joined, so that the whole
  ///   has to be fetched.
  /// - Throws: also where the rest was cut in turn, which can be gone on with.
  package func load(
    _ request: HTTPRequest, fetch: HTTPCache.Fetch
  ) async throws(HTTPFailure) -> HTTPResponse? {
    let most = request.maxBodyBytes ?? .max
    guard total ?? 0 <= most else { return nil }
    var rest = request
    rest.headers += [
      HTTPHeader(name: "Range", value: "bytes=\(bytes.count)-"),
      HTTPHeader(name: "If-Range", value: validator),
    ]
    let answer: HTTPResponse
    do throws(HTTPFailure) { answer = try await fetch(rest) } catch {
      if error.mayBeOfRange, !isNext(error.cutBody) { return nil }
      throw error
    }
    if answer.status == 304 { return answer }
    guard let whole = whole(with: answer), whole.body.count <= most else { return nil }
    return whole
  }

  /// Puts the beginning and an answer together.
  ///
  /// - Returns: nil where the server gave some other part, or a part of something else: nothing of it can be used.
  func whole(with response: HTTPResponse) -> HTTPResponse? {
    // The image has changed, or the server knows no ranges: it sent the whole.
    guard response.status == 206 else { return response }
    guard response.redirects == 0, !response.isLengthUnverified,
      response.fields.areOfRest(of: validator, total: total, from: bytes.count),
      let range = ContentRange(response.fields.value("Content-Range")),
      range.last == bytes.count + response.body.count - 1,
      range.total.map({ $0 == range.last + 1 }) ?? (total == range.last + 1)
    else { return nil }
    var whole = response
    whole.status = 200
    whole.body = bytes + response.body
    return whole
  }

  private func isNext(_ cut: CutBody?) -> Bool { cut?.first == bytes.count && cut?.validator == validator }
}

extension HTTPFailure {
  /// A request without `Range` may be answered otherwise: servers refuse one with 403, 416 or 500, or by closing the
  /// connection. That a file is gone and that a server is busy have statuses of their own.
  var mayBeOfRange: Bool {
    switch code {
    case .status: ![404, 410, 429].contains(status)
    case .network, .truncated, .empty: true
    default: false
    }
  }
}

extension HTTPRequest {
  /// The answer to a request for a part; nil where the server refuses one, so that the whole has to be asked for.
  func part(_ fetch: HTTPCache.Fetch) async throws(HTTPFailure) -> HTTPResponse? {
    do throws(HTTPFailure) { return try await fetch(self) } catch {
      if error.mayBeOfRange { return nil }
      throw error
    }
  }
}
