import Testing

@testable import Text

struct PathTextTests {
  @Test(arguments: [
    ("/a/app.job", "/a/out", "../app.job"), ("/a/b/app.job", "/a/out/cache", "../../b/app.job"),
    ("/a/out/x.job", "/a/out", "x.job"), ("/a/./b/../app.job", "/a//out/", "../app.job"),
    ("jobs/app.job", "out", "../jobs/app.job"), ("/app.job", "/", "app.job"),
  ])
  func aPathIsSeenFromAFolder(path: String, folder: String, expected: String) {
    #expect(PathText.relative(path, to: folder) == expected)
  }
}
