import Testing

@testable import Digests

@Suite("Digests", .timeLimit(.minutes(10)))
struct DigestTests {
  /// RFC 1321 section A.5, RFC 3174 section 7.3, FIPS 180 examples.
  @Test(arguments: [
    (
      "", "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    ),
    (
      "abc", "900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    ),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "8215ef0796a20bcaaae116d3876c664a",
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func aKnownMessageHasItsDigests(message: String, md5: String, sha1: String, sha256: String) {
    #expect(MD5.hexadecimal(of: message) == md5)
    #expect(SHA1.hexadecimal(of: message) == sha1)
    #expect(SHA256.hexadecimal(of: message) == sha256)
  }

  /// Where the padding needs a second block, and where it does not.
  @Test(arguments: [
    (
      1, "9dd4e461268c8034f5c8564e155c67a6", "11f6ad8ec52a2984abaafd7c3b516503785c2072",
      "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    ),
    (
      54, "61ea0974c662328da964d977a8253873", "31045e7bb077ff8d188a776b196b980388735dbb",
      "45f316e10b2c99abf374b22bda893cf3300d77263f1e272349ed414680522952"
    ),
    (
      55, "04364420e25c512fd958a70738aa8f72", "cef734ba81a024479e09eb5a75b6ddae62e6abf1",
      "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"
    ),
    (
      56, "668a72d5ba17f08e62dabcafad6db14b", "901305367c259952f4e7af8323f480d59f81335b",
      "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"
    ),
    (
      57, "693037871c4a9d3d8685018905cb530a", "025ecbd5d70f8fb3c5457cd96bab13fda305dc59",
      "ae14a2563ccf969d99aca69ce6bb74981f734bbf9f655f73b8f06db68cab5217"
    ),
    (
      63, "7dc2ca208106a2f703567bdff99d8981", "0ddc4e0cccd9a12850deb5abb0853a4425559fec",
      "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"
    ),
    (
      64, "c1bb4f81d892b2d57947682aeb252456", "bb2fa3ee7afb9f54c6dfb5d021f14b1ffe40c163",
      "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"
    ),
    (
      65, "1bc932052302d074bdec39795fe00cf6", "78c741ddc482e4cdf8c474a0876347a0905b6233",
      "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"
    ),
    (
      119, "ab347a5f68c8a443cfcddc633f12c24f", "4300320394f7ee239bcdce7d3b8bcee173a0cd5c",
      "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"
    ),
    (
      120, "fb98667f98096de92620b64f46e1c5b5", "ceb2821639c4b6dcb10bce0e522ca2e608ce056d",
      "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"
    ),
    (
      127, "a0b28c1da68705c2ff883fe279b72753", "e463484d274607e1897d4099497cbf2aedcf8206",
      "70156a14adbabf98cff3a71c7084b417abf057a8efd27329ca36b7202c87d81f"
    ),
    (
      128, "d69cb61a6ee87200676eb0d4b90edbcb", "150fa3fbdc899bd0b8f95a9fb6027f564d953762",
      "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464"
    ),
    (
      129, "3926841d393c00c3f36260e5ace10dc1", "2699b675922cc84a9b0dfd926eb7f8211c78693d",
      "0ec9eb33e74510bcdd1f2ea55206e82f21649c5c2becbf2b433eb475b34c01bd"
    ),
  ])
  func aMessageOfAnyLengthAroundABlockEdge(count: Int, md5: String, sha1: String, sha256: String) {
    let message = String(repeating: "x", count: count)
    #expect(MD5.hexadecimal(of: message) == md5)
    #expect(SHA1.hexadecimal(of: message) == sha1)
    #expect(SHA256.hexadecimal(of: message) == sha256)
  }

  @Test func bytesThatAreNotAtOnePlaceHaveTheSameDigest() {
    let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(SHA1.hash(AnySequence(message)) == SHA1.hash(message))
  }

  @Test func twoNormalFormsOfOneWordHaveTwoDigests() {
    #expect(SHA1.hexadecimal(of: "caf\u{e9}") != SHA1.hexadecimal(of: "cafe\u{301}"))
  }
}
