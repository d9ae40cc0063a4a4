import TestSupport
import Testing

@testable import Fetching

@Suite("Address guard", .timeLimit(.minutes(10)))
struct AddressGuardTests {
  static let special: [(String, String)] = [
    ("0.0.0.0", "this network"), ("0.1.2.3", "this network"), ("0.255.255.255", "this network"),
    ("10.0.0.0", "a private network"), ("10.1.2.3", "a private network"),
    ("10.255.255.255", "a private network"),
    ("100.64.0.0", "a provider's shared network"), ("100.100.100.200", "a provider's shared network"),
    ("100.127.255.255", "a provider's shared network"),
    ("127.0.0.1", "this machine"), ("127.1.2.3", "this machine"), ("127.255.255.255", "this machine"),
    ("169.254.0.0", "link-local"), ("169.254.169.254", "link-local"), ("169.254.255.255", "link-local"),
    ("172.16.0.0", "a private network"), ("172.20.1.1", "a private network"),
    ("172.31.255.255", "a private network"),
    ("192.0.0.1", "reserved"), ("192.0.0.255", "reserved"), ("192.0.2.1", "documentation only"),
    ("192.88.99.1", "an IPv4 address in an IPv6 wrapping"),
    ("192.168.0.0", "a private network"), ("192.168.1.1", "a private network"),
    ("192.168.255.255", "a private network"),
    ("198.18.0.1", "benchmarking only"), ("198.19.255.255", "benchmarking only"),
    ("198.51.100.7", "documentation only"),
    ("203.0.113.9", "documentation only"), ("224.0.0.1", "multicast"), ("239.255.255.255", "multicast"),
    ("240.0.0.1", "reserved"), ("255.255.255.254", "reserved"), ("255.255.255.255", "broadcast"),
    ("::", "this network"), ("::1", "this machine"), ("0:0:0:0:0:0:0:1", "this machine"),
    ("::2", "an IPv4 address in an IPv6 wrapping"), ("::127.0.0.1", "an IPv4 address in an IPv6 wrapping"),
    ("::8.8.8.8", "an IPv4 address in an IPv6 wrapping"),
    ("::ffff:127.0.0.1", "this machine"), ("::ffff:7f00:1", "this machine"),
    ("::ffff:10.1.1.1", "a private network"),
    ("::ffff:169.254.169.254", "link-local"), ("::ffff:0.0.0.0", "this network"),
    ("::ffff:192.168.1.1", "a private network"), ("::ffff:255.255.255.255", "broadcast"),
    ("::ffff:0:127.0.0.1", "an IPv4 address in an IPv6 wrapping"),
    ("::ffff:0:8.8.8.8", "an IPv4 address in an IPv6 wrapping"),
    ("64:ff9b::127.0.0.1", "this machine"), ("64:ff9b::a9fe:a9fe", "link-local"),
    ("64:ff9b::10.0.0.1", "a private network"), ("64:ff9b:1::1", "an IPv4 address in an IPv6 wrapping"),
    ("64:ff9b:1:ffff::8.8.8.8", "an IPv4 address in an IPv6 wrapping"), ("64:ff9b:2::1", "reserved"),
    ("100::1", "reserved"),
    ("2001::1", "an IPv4 address in an IPv6 wrapping"),
    ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "an IPv4 address in an IPv6 wrapping"),
    ("2001:2::1", "benchmarking only"), ("2001:10::1", "reserved"), ("2001:20::1", "reserved"),
    ("2001:1ff:ffff::1", "reserved"), ("2001:db8::1", "documentation only"),
    ("2001:db8:ffff::1", "documentation only"), ("2002:7f00:1::1", "an IPv4 address in an IPv6 wrapping"),
    ("2002:808:808::1", "an IPv4 address in an IPv6 wrapping"), ("3fff::1", "documentation only"),
    ("3fff:fff::1", "documentation only"),
    ("4000::1", "reserved"), ("5f00::1", "reserved"), ("8000::1", "reserved"),
    ("fc00::1", "a unique local network"),
    ("fd00:ec2::254", "a unique local network"), ("fdff:ffff::1", "a unique local network"),
    ("fe00::1", "reserved"),
    ("fe80::1", "link-local"), ("febf::1", "link-local"), ("fec0::1", "a private network"),
    ("feff::1", "a private network"), ("ff02::1", "multicast"), ("ff0e::1", "multicast"),
  ]

  @Test(arguments: special)
  func anAddressForASpecialPurposeIsRefused(text: String, purpose: String) throws {
    let address = try #require(IPAddress(text))
    #expect(AddressPurpose.of(address) == purpose)
  }

  @Test(arguments: [
    "1.0.0.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
    "192.0.3.0", "192.88.98.1", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
    "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2001:200::1", "2001:4860:4860::8888",
    "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700::1111", "2a00:1450::1", "3ffe::1", "3fff:1000::1",
  ])
  func aPublicAddressPasses(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(AddressPurpose.of(address) == nil)
  }

  @Test(arguments: ["", "127.1", "0x7f.0.0.1", "1.2.3.4.5", "localhost", "1.2.3.4 ", "1.2.3.4\0", "::g"])
  func aTextInNoUsualSpellingIsNoAddress(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [
    ("media.intranet", "media.intranet", 80, true), ("Media.Intranet", "media.INTRANET", 443, true),
    ("media.intranet", "media.intranet.", 80, true), ("media.intranet.", "media.intranet", 80, true),
    ("media.intranet", "media.intranet.evil.example", 80, false),
    ("media.intranet", "x.media.intranet", 80, false), ("media.intranet", "intranet", 80, false),
    ("media.intranet:8080", "media.intranet", 8080, true),
    ("media.intranet:8080", "media.intranet", 80, false),
    ("*.intranet", "media.intranet", 80, true), ("*.intranet", "a.b.intranet", 80, true),
    ("*.intranet", "intranet", 80, false), ("*.intranet", ".intranet", 80, false),
    ("*.intranet", "notintranet", 80, false), ("*.intranet:81", "a.intranet", 81, true),
    ("*.intranet:81", "a.intranet", 80, false), ("127.0.0.1", "127.0.0.1", 80, true),
    ("127.0.0.1", "127.0.0.2", 80, false), ("127.0.0.1:81", "127.0.0.1", 81, true),
    ("127.0.0.1:81", "127.0.0.1", 82, false), ("::1", "::1", 80, true), ("[::1]", "::1", 80, true),
    ("[0:0::1]", "::1", 80, true), ("[::1]:81", "::1", 81, true), ("[::1]:81", "::1", 80, false),
    ("127.0.0.1", "::ffff:127.0.0.1", 80, false), ("*", "anything", 80, false), ("", "", 80, false),
    ("host:", "host", 80, false), ("host:http", "host", 80, false), ("*.", "host", 80, false),
  ])
  func aHostIsAllowedAsItWasNamed(pattern: String, host: String, port: Int, isAllowed: Bool) {
    #expect((HostTable([pattern]) { $0 }[host, port] != nil) == isAllowed)
  }

  private let server: FaultServer
  /// No connection to it is ever made.
  private let untouched: FaultServer

  init() throws {
    server = try .shared()
    untouched = try .shared("untouched")
  }

  private func loader(_ allowed: [String], resolve: [String] = []) -> HTTPLoader {
    HTTPLoader.test {
      $0.allowPrivate = allowed
      $0.resolve = resolve
    }
  }

  @Test(arguments: [
    "127.0.0.1", "localhost", "127.0.0.1.", "localhost.", "2130706433", "0x7f000001", "017700000001", "127.1",
    "0x7f.1", "0177.0.0.1", "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[fe80::1]", "10.0.0.1", "169.254.169.254",
    "user:hunter2@127.0.0.1", "127。0。0。1",
  ])
  func noSpellingReachesThisMachine(host: String) async throws {
    let failure = try #require(await loader([]).failure("http://\(host):\(untouched.port)/ok"))
    #expect([.privateAddress, .resolve, .url].contains(failure.code))
    #expect(!failure.message.contains("hunter2"))
    #expect(try untouched.stats().connections == 0)
  }

  @Test func theFailureNamesHostAddressAndTheWayOut() async throws {
    let loader = loader([], resolve: ["media.example:\(server.port):127.0.0.1"])
    let failure = try #require(await loader.failure("http://media.example:\(server.port)/ok"))
    #expect(failure.code == .privateAddress)
    #expect(!failure.isRetryable)
    for part in ["media.example", "127.0.0.1", "add \"media.example\" to HTTPConfiguration.allowPrivate"] {
      #expect(failure.message.contains(part))
    }
  }

  @Test func aNamedHostMayBeAtAPrivateAddress() async throws {
    let entry = "media.example:\(server.port):127.0.0.1"
    for pattern in ["media.example", "MEDIA.example:\(server.port)", "*.example"] {
      let loader = loader([pattern], resolve: [entry])
      #expect(try await loader.load("http://media.example:\(server.port)/ok").status == 200)
    }
    let loader = loader(["media.example:1"], resolve: [entry])
    #expect(await loader.failure("http://media.example:\(server.port)/ok")?.code == .privateAddress)
  }

  @Test func theGuardHoldsAgainAfterARedirect() async throws {
    let inner = untouched
    let loader = loader(
      ["media.example"],
      resolve: ["media.example:\(server.port):127.0.0.1", "inner.example:\(inner.port):127.0.0.1"])
    for host in ["inner.example", "127.0.0.1", "localhost", "2130706433"] {
      let target = "http%3A//\(host)%3A\(inner.port)/ok"
      let url = "http://media.example:\(server.port)/redirect-to?url=\(target)"
      let failure = try #require(await loader.failure(url))
      #expect(failure.code == .privateAddress)
      #expect(failure.message.contains("redirected from"))
    }
    #expect(try inner.stats().connections == 0)
  }

  @Test func anOpenConnectionOfANamedHostIsNotLentToAnother() async throws {
    let server = try FaultServer()
    let entries = ["media.example:\(server.port):127.0.0.1", "else.example:\(server.port):127.0.0.1"]
    let loader = loader(["media.example"], resolve: entries)
    #expect(try await loader.load("http://media.example:\(server.port)/ok").status == 200)
    #expect(await loader.failure("http://else.example:\(server.port)/ok")?.code == .privateAddress)
    #expect(try server.stats().connections == 1)
  }

  @Test func noAddressOfSeveralIsTriedWhenAllAreRefused() async throws {
    let loader = loader([], resolve: ["both.example:\(untouched.port):192.0.2.1,127.0.0.1"])
    #expect(await loader.failure("http://both.example:\(untouched.port)/ok")?.code == .privateAddress)
    #expect(try untouched.stats().connections == 0)
  }
}
