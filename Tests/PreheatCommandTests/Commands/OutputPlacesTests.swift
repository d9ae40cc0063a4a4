import Testing

/// Nothing that is written for others lies in a cache or in its state folder.
@Suite(.timeLimit(.minutes(10))) struct OutputPlacesTests {
  static let options = ["--report", "--junit", "--metrics", "--trace", "--signposts"]
  static let places = ["out/x", "out/deep/x", "out.preheat/x", "link/x"]

  /// A cache as a run leaves it, and a link to it.
  private func scene() throws -> (scene: CommandScene, job: String) {
    let scene = try CommandScene()
    let job = try scene.job(lines: ["/none.png circle"])
    for name in ["out", "out.preheat"] {
      try scene.folder.makeFolder(name)
    }
    try scene.folder.link("link", to: "out")
    return (scene, job)
  }

  @Test(arguments: options, places) func aRunRefusesThemBeforeAnythingIsMade(option: String, place: String)
    async throws
  {
    let (scene, job) = try scene()
    let outcome = try await scene.preheat("run", option, scene.path(place), job).expect(
      2, "\(option): \(scene.path(place)) is inside the ")
    #expect(outcome.output == "")
    for name in ["out", "out.preheat"] { #expect(try scene.names(scene.path(name)).isEmpty) }
  }

  @Test func theCacheItselfIsNoPlaceAndItsNeighboursAre() async throws {
    let (scene, job) = try scene()
    try await scene.preheat("run", "--report", scene.path("out"), job).expect(2, "is inside the cache folder")
    let beside = try await scene.preheat("run", "--junit", scene.path("outside.xml"), job)
    #expect(beside.code != 2, "\(beside.messages)")
  }

  @Test func aPageOfAKeptRecordIsRefusedThereToo() async throws {
    let (scene, job) = try scene()
    _ = try await scene.preheat("run", job)
    try await scene.preheat("report", scene.path("out"), "--report", scene.path("out/page")).expect(
      2, "is inside the cache folder")
    #expect(try await scene.preheat("report", scene.path("out"), "--report", scene.path("page")).code == 0)
  }

  @Test func bundlesAndMergedCachesAreRefusedThere() async throws {
    let scene = try CommandScene()
    let cache = try scene.cache(of: scene.job())
    for place in ["out/b.zip", "out.preheat/b.zip"] {
      try await scene.preheat("bundle", cache, "-o", scene.path(place)).expect(2, "is inside the ")
    }
    for place in ["out/all", "out.preheat/all"] {
      try await scene.preheat("merge", cache, "-o", scene.path(place)).expect(2, "is inside the ")
      #expect(!scene.folder.has(place))
    }
  }

  static let proxies: [(String, Bool)] = [
    ("http://proxy.example.com:3128", true), ("https://u:p@10.0.0.1", true), ("socks5h://[::1]:1080", true),
    ("SOCKS5://p", true), ("nonsense", false), ("proxy:3128", false), ("ftp://p", false), ("http://", false),
    ("http://p:port", false), ("http://a b", false), ("http://p:99999", false),
  ]

  @Test(arguments: proxies) func aProxyIsAURL(proxy: String, isRight: Bool) async throws {
    let (scene, job) = try scene()
    let outcome = try await scene.preheat("run", "--proxy", proxy, job)
    #expect((outcome.code != 2) == isRight, "\(outcome.messages)")
    if !isRight {
      #expect(
        outcome.messages.contains("--proxy: ") && outcome.messages.contains("is not the URL of a proxy"))
    }
    let variable = try await scene.preheat("run", job, environment: ["PREHEAT_PROXY": proxy])
    #expect((variable.code != 2) == isRight)
  }
}
