import Foundation
import TestSupport
import Testing

@testable import Fetching

@Suite("Credentials", .timeLimit(.minutes(10)))
struct CredentialTests {
  private let server: FaultServer

  init() throws { server = try .shared() }

  // MARK: Names and passwords

  private func authorization(_ configuration: HTTPConfiguration, _ request: HTTPRequest) async throws
    -> String?
  {
    try await HTTPLoader(configuration: configuration).echo(request, "Authorization")
  }

  @Test func aPasswordComesFromTheURLOrFromAHeader() async throws {
    let inURL = "http://Aladdin:open%20sesame@127.0.0.1:\(server.port)/headers-echo"
    let plain = server.url("/headers-echo")
    for (request, wanted) in [
      (HTTPRequest(inURL), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
      (HTTPRequest(plain, ["Authorization": "Bearer x"]), "Bearer x"), (HTTPRequest(plain), nil),
    ] {
      #expect(try await authorization(.test, request) == wanted)
    }
  }

  /// libcurl reads ~/.netrc only where it is asked to; nothing asks it.
  @Test func aRedirectElsewhereGetsNoPassword() async throws {
    let configuration = HTTPConfiguration.test.with {
      $0.allowPrivate = ["*.example", "127.0.0.1"]
      $0.resolve = ["other.example:\(server.port):127.0.0.1"]
    }
    let other = "http://other.example:\(server.port)/headers-echo"
    let encoded = other.replacing(":", with: "%3A").replacing("/", with: "%2F")
    let target = "127.0.0.1:\(server.port)/redirect-to?url=\(encoded)"
    #expect(try await authorization(configuration, HTTPRequest(url: "http://me:mine@\(target)")) == nil)
    let field = HTTPRequest("http://\(target)", ["Authorization": "Bearer x"])
    #expect(try await authorization(configuration, field) == nil)
  }

  // MARK: Signatures

  private static let key = HTTPSigning.Credentials(
    accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")

  private func loader(_ credentials: HTTPSigning.Credentials = Self.key, host: String = "127.0.0.1")
    -> HTTPLoader
  {
    HTTPLoader.test {
      $0.signings = [HTTPSigning(host: host, scope: "aws:amz:eu-west-1:s3", credentials: credentials)]
    }
  }

  @Test(arguments: [
    "/signed/plain.jpg", "/signed", "/signed/a+b(c)=d'e!f*g.jpg", "/signed/a%20b%2Bc.jpg",
    "/signed/%e2%82%ac.jpg",
    "/signed/x?b=2&a=1", "/signed/x?acl", "/signed/x?acl&b=a+b&a=%7e~", "/signed/x?a=2&a=1&A=3", "/signed/x?",
    "/signed/~user/-._/x", "/signed/x?list-type=2&prefix=a/b&delimiter=%2F", "/signed/x?e=a=b",
    "/signed/a%2fb",
  ])
  func aSignatureIsTheOneOfTheReference(target: String) async throws {
    #expect(try await loader().load(server.url(target)).status == 200)
  }

  @Test func aTokenOfTheSessionIsSignedToo() async throws {
    var credentials = Self.key
    credentials.sessionToken = "SESSION=="
    let signed = try await loader(credentials).load(server.url("/signed/x")).body
    #expect(String(decoding: signed, as: UTF8.self).contains("x-amz-security-token"))
  }

  @Test func fieldsOfTheJobGoWithASignature() async throws {
    let request = HTTPRequest(server.url("/signed/x"), ["X-Amz-Request-Payer": "requester"])
    #expect(try await loader().load(request).status == 200)
  }

  @Test func aWrongSecretIsRefusedAndNotShown() async throws {
    let wrong = HTTPSigning.Credentials(accessKey: "AKIDEXAMPLE", secretKey: "WRONGSECRET")
    let failure = try #require(await loader(wrong).failure(server.url("/signed/x")))
    #expect(failure.status == 403)
    var dumped = ""
    dump(wrong, to: &dumped)
    for text in [failure.description, "\(wrong)", String(reflecting: wrong), dumped] {
      #expect(!text.contains("WRONGSECRET") && !text.contains("AKID"))
    }
  }

  @Test func nobodyElseIsSentASignature() async throws {
    let other = loader(host: "bucket.example")
    #expect(await other.failure(server.url("/signed/x"))?.status == 403)
    // A stranger's redirect must not fetch with our rights.
    let stranger = HTTPLoader.test {
      $0.allowPrivate = ["*.example", "127.0.0.1"]
      $0.resolve = ["stranger.example:\(server.port):127.0.0.1"]
      $0.signings = [HTTPSigning(host: "127.0.0.1", scope: "aws:amz:eu-west-1:s3", credentials: Self.key)]
    }
    let target = server.url("/signed/x").replacing(":", with: "%3A")
    let url = "http://stranger.example:\(server.port)/redirect-to?url=\(target)"
    #expect(await stranger.failure(url)?.status == 403)
  }

  @Test func credentialsComeFromTheirVariables() {
    #expect(HTTPSigning.Credentials(environment: [:]) == nil)
    #expect(
      HTTPSigning.Credentials(environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": ""]) == nil)
    let pair = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
    #expect(HTTPSigning.Credentials(environment: pair)?.sessionToken == nil)
    #expect(
      HTTPSigning.Credentials(environment: pair.merging(["AWS_SESSION_TOKEN": "c"]) { $1 })?.sessionToken
        == "c")
  }

  @Test(arguments: [
    ("http://h", "http://h/"), ("http://h?b&a=1", "http://h/?a=1&b="),
    ("http://h/a%zz%4", "http://h/a%25zz%254"),
    ("http://h:81/a%7Eb%2f", "http://h:81/a~b/"), ("http://[::1]:81/é", "http://[::1]:81/%C3%A9"),
    ("http://h/x?a=%3D&a=%26&&b==", "http://h/x?a=%26&a=%3D&b=%3D"), ("no url", "no url"),
  ])
  func aURLIsWrittenInItsCanonicalForm(url: String, canonical: String) {
    #expect(CanonicalURL(url).text == canonical)
  }
}
