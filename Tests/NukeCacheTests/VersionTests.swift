import Testing

@testable import NukeCache

@Suite("Nuke's versions", .timeLimit(.minutes(10)))
struct VersionTests {
  @Test(arguments: [
    ("10", NukeVersion(10, 11, 2)), ("11", NukeVersion(11, 6, 4)), ("12", NukeVersion(12, 9, 0)),
    ("13", NukeVersion(13, 2, 0)), ("12.1", NukeVersion(12, 1, 6)), ("12.5", NukeVersion(12, 5, 0)),
    ("13.0", NukeVersion(13, 0, 6)), ("10.0.0", NukeVersion(10, 0, 0)), ("12.5.0", NukeVersion(12, 5, 0)),
    // Later patches of minor versions that are known.
    ("12.5.1", NukeVersion(12, 5, 1)), ("13.2.1", NukeVersion(13, 2, 1)),
  ])
  func aVersionIsReadAsTheNewestThatItCovers(text: String, version: NukeVersion) throws {
    #expect(try NukeVersion(parsing: text) == version)
  }

  @Test(
    arguments: [
      ("", .malformed("")), ("twelve", .malformed("twelve")), ("12.", .malformed("12.")),
      ("12.5.0.1", .malformed("12.5.0.1")), ("+12", .malformed("+12")), ("012", .malformed("012")),
      ("13.0.0-beta.2", .malformed("13.0.0-beta.2")), ("-12", .malformed("-12")),
      ("99999999999999999999", .malformed("99999999999999999999")),
      ("9.6.0", .tooOld("9.6.0")), ("0", .tooOld("0")),
      ("14", .unreleased("14")), ("14.0.0", .unreleased("14.0.0")), ("main", .unreleased("main")),
      ("13.9.0", .unknownRelease("13.9.0", nearest: NukeVersion(13, 2, 0))),
      ("12.10", .unknownRelease("12.10", nearest: NukeVersion(12, 9, 0))),
    ] as [(String, NukeVersion.ParseError)])
  func anythingElseIsRefusedWithItsReason(text: String, error: NukeVersion.ParseError) {
    #expect(throws: error) { try NukeVersion(parsing: text) }
  }

  @Test func refusalsNameTheNewestKnownRelease() {
    #expect(NukeVersion.ParseError.unreleased("14").description.contains("13.2.0"))
    #expect(
      NukeVersion.ParseError.unknownRelease("13.9.0", nearest: NukeVersion(13, 2, 0)).description
        .contains("13.2.0"))
    #expect(NukeVersion.ParseError.tooOld("9").description.contains("10.0.0"))
  }

  @Test func versionsCompareByNumberNotByText() {
    #expect(NukeVersion(10, 4, 0) < NukeVersion(10, 11, 2))
    #expect(NukeVersion.latest == NukeVersion(13, 2, 0))
    #expect(NukeVersion.newest.map(\.major) == [10, 11, 12, 13])
  }
}
