import Testing

@testable import Fetching

@Suite("Address guard", .timeLimit(.minutes(10)))
struct AddressGuardTests {
  @Test(arguments: [
    ("0.0.0.0", AddressClass.unspecified), ("0.1.2.3", .unspecified), ("0.255.255.255", .unspecified),
    ("10.0.0.0", .privateNetwork), ("10.1.2.3", .privateNetwork), ("10.255.255.255", .privateNetwork),
    ("100.64.0.0", .carrierGrade), ("100.100.100.200", .carrierGrade), ("100.127.255.255", .carrierGrade),
    ("127.0.0.1", .loopback), ("127.1.2.3", .loopback), ("127.255.255.255", .loopback),
    ("169.254.0.0", .linkLocal), ("169.254.169.254", .linkLocal), ("169.254.255.255", .linkLocal),
    ("172.16.0.0", .privateNetwork), ("172.20.1.1", .privateNetwork), ("172.31.255.255", .privateNetwork),
    ("192.0.0.1", .reserved), ("192.0.0.255", .reserved), ("192.0.2.1", .documentation),
    ("192.88.99.1", .transition),
    ("192.168.0.0", .privateNetwork), ("192.168.1.1", .privateNetwork),
    ("192.168.255.255", .privateNetwork),
    ("198.18.0.1", .benchmarking), ("198.19.255.255", .benchmarking), ("198.51.100.7", .documentation),
    ("203.0.113.9", .documentation), ("224.0.0.1", .multicast), ("239.255.255.255", .multicast),
    ("240.0.0.1", .reserved), ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast),
  ])
  func anIPv4AddressForASpecialPurposeIsRefused(text: String, kind: AddressClass) throws {
    let address = try #require(IPAddress(text))
    #expect(AddressClass(address) == kind)
  }

  @Test(arguments: [
    ("::", AddressClass.unspecified), ("::1", .loopback), ("0:0:0:0:0:0:0:1", .loopback),
    ("::2", .transition), ("::127.0.0.1", .transition), ("::8.8.8.8", .transition),
    ("::ffff:127.0.0.1", .loopback), ("::ffff:7f00:1", .loopback), ("::ffff:10.1.1.1", .privateNetwork),
    ("::ffff:169.254.169.254", .linkLocal), ("::ffff:0.0.0.0", .unspecified),
    ("::ffff:192.168.1.1", .privateNetwork), ("::ffff:255.255.255.255", .broadcast),
    ("::ffff:0:127.0.0.1", .transition), ("::ffff:0:8.8.8.8", .transition),
    ("64:ff9b::127.0.0.1", .loopback), ("64:ff9b::a9fe:a9fe", .linkLocal),
    ("64:ff9b::10.0.0.1", .privateNetwork), ("64:ff9b:1::1", .transition),
    ("64:ff9b:1:ffff::8.8.8.8", .transition), ("64:ff9b:2::1", .reserved), ("100::1", .reserved),
    ("2001::1", .transition), ("2001:0:4136:e378:8000:63bf:3fff:fdd2", .transition),
    ("2001:2::1", .benchmarking), ("2001:10::1", .reserved), ("2001:20::1", .reserved),
    ("2001:1ff:ffff::1", .reserved), ("2001:db8::1", .documentation),
    ("2001:db8:ffff::1", .documentation), ("2002:7f00:1::1", .transition),
    ("2002:808:808::1", .transition), ("3fff::1", .documentation), ("3fff:fff::1", .documentation),
    ("4000::1", .reserved), ("5f00::1", .reserved), ("8000::1", .reserved), ("fc00::1", .uniqueLocal),
    ("fd00:ec2::254", .uniqueLocal), ("fdff:ffff::1", .uniqueLocal), ("fe00::1", .reserved),
    ("fe80::1", .linkLocal), ("febf::1", .linkLocal), ("fec0::1", .privateNetwork),
    ("feff::1", .privateNetwork), ("ff02::1", .multicast), ("ff0e::1", .multicast),
  ])
  func anIPv6AddressForASpecialPurposeIsRefused(text: String, kind: AddressClass) throws {
    let address = try #require(IPAddress(text))
    #expect(AddressClass(address) == kind)
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
    #expect(AddressClass(address) == .public)
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
}
