import Planning
import Testing
import Text

/// Ids, identifiers and names that are canonically equal and have other bytes: two keys, two names, two files.
@Suite(.timeLimit(.minutes(10))) struct CanonicalKeyTests {
  private static let forms = ["\u{E9}", "e\u{301}"]

  let scene: CommandScene

  init() throws { scene = try CommandScene() }

  private func keys(of job: String) throws -> Set<ByteText> {
    let (plan, diagnostics) = Plan.make(.file(job))
    let found = try #require(plan, "\(diagnostics.sorted.map(\.message))")
    return Set(found.renditions.map { ByteText($0.key) })
  }

  /// Of one URL and of two, in ids, in the app's own identifiers and in the names of chains, on one line and on two.
  @Test(arguments: [
    forms.map { "https://e.com/1.jpg original id=\($0)" },
    forms.enumerated().map { "https://e.com/\($0).jpg original id=\($1)" },
    forms.map { "https://e.com/1.jpg resize(width: 9, unit: pixels) as \"\($0)\"" },
    ["https://e.com/1.jpg" + forms.map { " custom(\"\($0)\")" }.joined()],
    forms.enumerated().map { "chain \($1) = resize(width: \($0 + 9), unit: pixels)" }
      + ["https://e.com/1.jpg \(forms[0]) \(forms[1])"],
    forms.map { "https://e.com/1.jpg\tid=\($0) circle" },
  ])
  func twoFormsAreTwoKeys(lines: [String]) throws {
    #expect(try keys(of: scene.job(lines: lines)).count == 2)
  }

  @Test func aSessionFindsTheFormThatIsThere() async throws {
    let lines = Self.forms.map { "https://e.com/1.jpg original id=\($0)" }
    let whole = try scene.cache(of: scene.job(lines: lines))
    try scene.write(Self.forms.joined(separator: "\n") + "\n", to: "keys.txt")
    let half = try scene.cache(of: scene.job("half.job", cache: "half", lines: [lines[0]]))
    for (cache, hits) in [(whole, 2), (half, 1)] {
      let replay = try await scene.preheat("replay", scene.path("keys.txt"), "--in", cache, "--json")
      let outcomes = try replay.objects().compactMap { $0["outcome"] as? String }
      #expect(outcomes == (hits == 2 ? ["exact", "exact"] : ["exact", "miss"]), "\(replay.messages)")
    }
  }

  @Test func aRecordingBecomesAJobOfBoth() async throws {
    let requests = Self.forms.map { "{\"key\":\"\($0)\",\"url\":\"https://e.com/1.jpg\",\"id\":\"\($0)\"}" }
    try scene.write(requests.joined(separator: "\n") + "\n", to: "r.ndjson")
    try await scene.preheat(
      "init", "--client", "nuke 12", "--cache", "out/x", scene.path("r.ndjson"), "-o", scene.path("r.job")
    ).expect(0)
    #expect(try keys(of: scene.path("r.job")) == Set(Self.forms.map { ByteText($0) }))
  }

  /// Names that are the keys themselves.
  @Test func cachesAreJoinedAndComparedByBytes() async throws {
    let jobs = try Self.forms.enumerated().map { number, form in
      try scene.job(
        "\(number).job", client: "kingfisher 8", cache: "c\(number)",
        lines: ["hashed-names off", "https://e.com/\(number).jpg original id=\(form)"])
    }
    let caches = try jobs.map(scene.cache)
    try await scene.preheat("merge", caches[0], caches[1], "-o", scene.path("joined")).expect(0)
    let names = try scene.folder.names("joined")
    #expect(Set(names.map { ByteText($0) }) == Set(Self.forms.map { ByteText($0) }))
    let diff = try await scene.preheat("diff", caches[0], caches[1], "--json").objects()
    let changed = diff.compactMap { $0["file"] as? String }.map { ByteText($0) }
    #expect(changed.count == 2 && Set(changed) == Set(Self.forms.map { ByteText($0) }))
    let plans = try jobs.map { try #require(Plan.make(.file($0)).plan) }
    #expect(Plan.files(of: plans).count == 2)
    let together = try Self.forms.enumerated().map { number, form in
      try scene.job(
        "t\(number).job", client: "kingfisher 8", cache: "together",
        lines: ["hashed-names off", "https://e.com/\(number).jpg original id=\(form)"])
    }.map { try #require(Plan.make(.file($0)).plan) }
    #expect(!Plan.collisions(among: together).hasErrors)
  }
}
