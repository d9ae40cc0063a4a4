/// Requests to one host that are signed as AWS Signature Version 4 asks for, by libcurl.
public struct HTTPSigning: Sendable, Hashable {
  /// `host` or `host:port`.
  public var host: String
  /// `aws:amz:REGION:SERVICE`, as curl's `--aws-sigv4` takes it.
  public var scope: String
  /// The key that signs.
  public var credentials: Credentials

  /// Requests to a host are signed for a scope with these credentials.
  public init(host: String, scope: String, credentials: Credentials) {
    self.host = host
    self.scope = scope
    self.credentials = credentials
  }

  /// Nothing that prints the value shows what is in it.
  public struct Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    var accessKey: String
    var secretKey: String
    var sessionToken: String?

    /// Never the keys.
    public var description: String { "(credentials)" }
    /// Without children, so that `dump` shows no key.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
  }

  /// The fields that have to be there and be signed with the rest.
  var headers: [HTTPHeader] {
    var headers = [HTTPHeader(name: "x-amz-content-sha256", value: Self.hashOfNothing)]
    if let token = credentials.sessionToken {
      headers.append(HTTPHeader(name: "x-amz-security-token", value: token))
    }
    return headers
  }

  /// SHA-256 of no bytes: a GET has no body.
  private static let hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}

extension HTTPSigning.Credentials {
  /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, for credentials that expire, `AWS_SESSION_TOKEN`.
  ///
  /// `nil` where one of the first two is missing.
  public init?(environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let accessKey = value("AWS_ACCESS_KEY_ID"), let secretKey = value("AWS_SECRET_ACCESS_KEY") else {
      return nil
    }
    self.init(accessKey: accessKey, secretKey: secretKey, sessionToken: value("AWS_SESSION_TOKEN"))
  }
}
