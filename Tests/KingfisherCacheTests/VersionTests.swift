import Testing

@testable import KingfisherCache

@Suite("Kingfisher's versions", .timeLimit(.minutes(10)))
struct KingfisherVersionTests {
  @Test(arguments: [
    ("5", KingfisherVersion(5, 15, 8)), ("6", KingfisherVersion(6, 3, 1)), ("7", KingfisherVersion(7, 12, 0)),
    ("8", KingfisherVersion(8, 11, 0)), ("8.7", KingfisherVersion(8, 7, 0)),
    ("7.2", KingfisherVersion(7, 2, 4)),
    ("7.2.0", KingfisherVersion(7, 2, 0)), ("8.7.3", KingfisherVersion(8, 7, 3)),
    ("8.16", KingfisherVersion(8, 16, 0)),
  ])
  func aVersionIsReadAsTheNewestThatItCovers(text: String, version: KingfisherVersion) throws {
    #expect(try KingfisherVersion(parsing: text) == version)
    #expect(KingfisherVersion.latest == KingfisherVersion(8, 11, 0))
  }
}
