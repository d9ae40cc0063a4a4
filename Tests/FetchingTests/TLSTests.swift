import Bodies
import Foundation
import TestSupport
import Testing

@testable import Fetching

/// The test server makes its certificates with the openssl command.
let hasOpenSSL = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
  .contains { FileManager.default.isExecutableFile(atPath: $0) }

@Suite("TLS", .timeLimit(.minutes(10)), .enabled(if: hasOpenSSL))
struct TLSTests {
  private func loader(_ server: FaultServer, _ change: (inout HTTPConfiguration) -> Void = { _ in })
    -> HTTPLoader
  {
    HTTPLoader.test {
      $0.caFile = server.caFile
      $0.retries = 2
      change(&$0)
    }
  }

  @Test func aTrustedServerIsReadOverReusedConnections() async throws {
    let server = try FaultServer.shared(tls: .good)
    let tally = TransferTally()
    let loader = loader(server) { $0.signposts = tally.signposts }
    for _ in 0..<5 { #expect(try await loader.load(server.url("/ok?size=50000")).body == plainBody(50_000)) }
    #expect(tally.counts.connectionsOpened == 2, "the first one shows that it does not speak HTTP/2")
  }

  /// Asked for by nobody; URLSession takes it off here, and over http it does not.
  @Test func brotliIsTakenOff() async throws {
    let server = try FaultServer.shared(tls: .good)
    #expect(try await loader(server).load(server.url("/brotli")).body == Array("hello".utf8))
    let long = await loader(server) { $0.maxBodyBytes = 4 }.failure(server.url("/brotli?1"))
    #expect(long?.code == .tooLarge)
    for end in 1..<9 { #expect(Brotli.unpacked(Array(Self.brotli[..<end]), limit: 9) == nil) }
    #expect(Brotli.unpacked(Array(Self.brotli[..<8]), limit: 9, isPart: true) == Array("hello".utf8))
  }

  private static let brotli: [UInt8] = [0x0B, 0x02, 0x80] + Array("hello".utf8) + [0x03]

  @Test func manyTransfersAtOnceAllArrive() async throws {
    let server = try FaultServer.shared(tls: .good)
    let loader = loader(server)
    let failures = await loader.failures((0..<40).map { server.url("/ok?size=\($0 + 1)") })
    #expect(failures.allSatisfy { $0 == nil })
  }

  @Test(arguments: [FaultServer.TLS.expired, .wrongHost])
  func aCertificateWithAFaultIsRefusedAtOnce(tls: FaultServer.TLS) async throws {
    let server = try FaultServer.shared(tls: tls)
    let tally = TransferTally()
    let loader = loader(server) { $0.signposts = tally.signposts }
    let failure = try #require(await loader.failure(server.url("/ok")))
    #expect(failure.code == .tls)
    #expect(!failure.isRetryable)
    #expect(failure.message.contains("certificate of 127.0.0.1"))
    #expect(tally.counts.transfers == 1)
    #expect(try server.count("/ok") == 0)
  }

  @Test func aCertificateOfTheClientsIsMissedAtOnce() async throws {
    let tally = TransferTally()
    let server = try FaultServer.shared(tls: .mutual)
    let failure = await loader(server) { $0.signposts = tally.signposts }.failure(server.url("/ok"))
    #expect(failure?.code == .tls && failure?.isRetryable == false)
    #expect(tally.counts.connectionsOpened == 1)
    let optional = try FaultServer.shared(tls: .optional)
    let failures = await loader(optional).failures((0..<20).map { optional.url("/ok?\($0)") })
    #expect(failures.allSatisfy { $0 == nil })
  }

  @Test(arguments: [FaultServer.TLS.good, .expired, .wrongHost])
  func aHostIsTakenUnseenOnlyWhereItIsNamed(tls: FaultServer.TLS) async throws {
    let server = try FaultServer.shared(tls: tls)
    func loader(_ hosts: [String]) -> HTTPLoader {
      self.loader(server) {
        $0.caFile = nil
        $0.insecureHosts = hosts
      }
    }
    #expect(try await loader(["127.0.0.1:\(server.port)"]).load(server.url("/chunked?unseen")).status == 200)
    for hosts in [["127.0.0.2", "127.0.0.1:1"], ["*"], ["*.0.0.1"], [""]] {
      #expect(await loader(hosts).failure(server.url("/chunked?seen"))?.code == .tls)
    }
  }

  @Test func anAuthorityNobodyTrustsIsRefused() async throws {
    let server = try FaultServer.shared(tls: .good)
    let loader = loader(server) { $0.caFile = nil }
    #expect(await loader.failure(server.url("/ok?untrusted"))?.code == .tls)
    #expect(try server.stats().requests["/ok?untrusted"] == nil)
  }

  @Test func aCertificateOfAnotherNameIsRefused() async throws {
    let server = try FaultServer.shared(tls: .good)
    let loader = loader(server) {
      $0.allowPrivate = ["*.example"]
      $0.resolve = ["img.example", "other.example"].map { "\($0):\(server.port):127.0.0.1" }
    }
    #expect(try await loader.load("https://img.example:\(server.port)/ok").status == 200)
    #expect(await loader.failure("https://other.example:\(server.port)/ok")?.code == .tls)
  }

  @Test func plainTextWhereTLSIsExpectedIsAFailure() async throws {
    let server = try FaultServer.shared()
    let failure = await HTTPLoader(configuration: .test).failure("https://127.0.0.1:\(server.port)/ok")
    #expect(failure?.code == .tls)
  }

  @Test(arguments: ["/trunc", "/close-delimited"])
  func aCutIsSeenThroughTLS(target: String) async throws {
    let server = try FaultServer.shared(tls: .good)
    let loader = loader(server) { $0.retries = 0 }
    let code = await loader.failure(server.url(target))?.code
    // Without a length the end is verified by TLS's own farewell at most.
    #expect(target == "/trunc" ? code == .truncated || code == .network : code == nil || code == .network)
  }
}

@Suite("Certificates of the system")
struct CertificateFileTests {
  @Test func aVariableComesFirstThenThePlacesOfManySystems() {
    let fedora = "/etc/pki/tls/certs/ca-bundle.crt"
    #expect(CertificateFile.find(in: [:]) { $0 == fedora } == fedora)
    #expect(CertificateFile.find(in: [:]) { _ in false } == nil)
    #expect(CertificateFile.find(in: ["CURL_CA_BUNDLE": "/b"]) { _ in true } == "/b")
    #expect(CertificateFile.find(in: ["CURL_CA_BUNDLE": "/b", "SSL_CERT_FILE": "/a"]) { _ in false } == "/a")
    #expect(
      CertificateFile.find(in: ["SSL_CERT_FILE": ""]) { $0 == "/etc/ssl/cert.pem" } == "/etc/ssl/cert.pem")
  }
}
