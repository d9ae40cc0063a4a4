import Testing

@testable import NukeCache

@Suite("Nuke's versions", .timeLimit(.minutes(10)))
struct VersionTests {
  @Test(arguments: [
    ("10", NukeVersion(10, 11, 2)), ("11", NukeVersion(11, 6, 4)), ("12", NukeVersion(12, 9, 0)),
    ("13", NukeVersion(13, 2, 3)), ("14", NukeVersion(14, 0, 0)), ("12.1", NukeVersion(12, 1, 6)),
    ("12.5", NukeVersion(12, 5, 0)),
    ("13.0", NukeVersion(13, 0, 6)), ("10.0.0", NukeVersion(10, 0, 0)), ("12.5.0", NukeVersion(12, 5, 0)),
    // Later patches and minor versions, and pre-releases.
    ("12.5.1", NukeVersion(12, 5, 1)), ("12.10", NukeVersion(12, 10, 0)), ("13.9.2", NukeVersion(13, 9, 2)),
    ("14.0.0-rc.1", NukeVersion(14, 0, 0)), ("13.0.0-beta.2", NukeVersion(13, 0, 0)),
  ])
  func aVersionIsReadAsTheNewestThatItCovers(text: String, version: NukeVersion) throws {
    #expect(try NukeVersion(parsing: text) == version)
  }

  @Test(arguments: [
    (
      "is not a version",
      [
        "", "twelve", "12.", "12.5.0.1", "+12", "012", "13.02.1", "14-rc.1", "13.0.0-", "13.0.0-a..b", "-12",
        "99999999999",
      ]
    ),
    ("oldest supported is 10.0.0", ["9.6.0", "0"]), ("newest known is 13.2.3", ["15", "15.0.0", "main"]),
  ])
  func anythingElseIsRefusedWithItsReason(words: String, texts: [String]) {
    for text in texts {
      let error = #expect(throws: ClientVersionError.self) { try NukeVersion(parsing: text) }
      #expect(error?.description.contains(words) == true, "\(text)")
    }
  }

  @Test func versionsCompareByNumberNotByText() {
    #expect(NukeVersion(10, 4, 0) < NukeVersion(10, 11, 2))
    #expect(NukeVersion.latest == NukeVersion(13, 2, 3))
  }
}
