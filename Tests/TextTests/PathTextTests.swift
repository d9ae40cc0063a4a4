import Testing

@testable import Text

struct PathTextTests {
  @Test(arguments: [
    ("/a/app.job", "/a/out", "../app.job"), ("/a/b/app.job", "/a/out/cache", "../../b/app.job"),
    ("/a/out/x.job", "/a/out", "x.job"), ("/a/./b/../app.job", "/a//out/", "../app.job"),
    ("jobs/app.job", "out", "../jobs/app.job"), ("/app.job", "/", "app.job"),
    // A name may begin with a mark that would be one character with the slash before it.
    ("/a/\u{308}b/../app.job", "/a/\u{308}b", "../app.job"),
  ])
  func aPathIsSeenFromAFolder(path: String, folder: String, expected: String) {
    #expect(PathText.relative(path, to: folder) == expected)
  }

  @Test func aTildeBeforeASlashIsTheHomeFolder() throws {
    let home = try #require(PathText.home)
    #expect(PathText.expanded("~") == home && PathText.expanded("~/a/b") == home + "/a/b")
    #expect(PathText.absolute("~/a", in: "/x") == PathText.absolute(home + "/a"))
    #expect(PathText.joined("~/a", to: "/x") == home + "/a")
    for path in ["~a/b", "a/~", "./~/a", "/~/a", ""] { #expect(PathText.expanded(path) == path) }
  }
}
