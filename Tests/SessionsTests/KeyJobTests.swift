import JobFile
import JobSupport
import Syntax
import TestSupport
import Testing
import Text

@testable import Sessions

/// What `init --from` makes of keys, planned again: the keys that went in and no others.
enum RoundTrip {
  static func overrides(_ settings: [String: String]) -> GivenSettings {
    var overrides = GivenSettings()
    for (name, value) in settings { overrides[name] = value }
    return overrides
  }

  @discardableResult
  static func check(
    _ requests: [RecordedRequest], _ settings: [String: String], _ location: SourceLocation = #_sourceLocation
  ) throws -> KeyJob {
    let (made, diagnostics) = KeyJob.make(from: requests, overrides(settings))
    let job = try #require(made, "\(diagnostics.sorted.map(\.message)) \(settings)", sourceLocation: location)
    let planned = Preheat.plan(job.text)
    #expect(planned.errors == [], sourceLocation: location)
    let keys = Set((planned.plan.map { Array($0.renditions) } ?? []).map { ByteText($0.key) })
    let refused = Set(job.refusals.map { ByteText($0.key) })
    let wanted = Set(requests.map { ByteText($0.key) }).subtracting(refused)
    #expect(
      keys == wanted,
      "missing \(wanted.subtracting(keys).map(\.text)), more \(keys.subtracting(wanted).map(\.text)) in \(job.text)",
      sourceLocation: location)
    return job
  }
}

@Suite("Keys backwards", .timeLimit(.minutes(5)))
struct KeyJobTests {
  @Test func everyGoldenKeyOfNukeComesBack() throws {
    var groups: [[String]: [RecordedRequest]] = [:]
    for row in try Fixtures.table("nuke-keys.tsv") {
      guard let version = row["nuke_version"], let scale = row["screen_scale"],
        let key = row["data_cache_key"],
        let url = row["url"]
      else { continue }
      let isURL = ["http", "HTTP", "data:", "file:"].contains { url.hasPrefix($0) }
      let id = row["image_id"].flatMap { $0 == "-" ? nil : $0 == "(empty)" ? "" : $0 }
      let client = version.hasPrefix("main") ? "13.2.0" : version
      groups[[client, scale], default: []].append(
        RecordedRequest(key: key == "(empty)" ? "" : key, url: isURL ? url : nil, id: id))
    }
    var refused: [KeyJob.Refusal] = []
    for (group, requests) in groups {
      // On macOS before a first window a scale was latched at 0; nobody can ask for that.
      let scale = group[1] == "0" ? [:] : ["scale": group[1]]
      refused += try RoundTrip.check(requests, scale.merging(["client": "nuke \(group[0])"]) { a, _ in a })
        .refusals
    }
    // Those whose key does not tell a URL: relative ones, closures.
    #expect(refused.allSatisfy { !$0.key.hasPrefix("http") }, "\(refused)")
  }

  @Test func everyGoldenKeyOfKingfisherComesBack() throws {
    var groups: [String: [RecordedRequest]] = [:]
    for row in try Fixtures.table("kingfisher-keys.tsv") {
      guard let version = row["kf_version"], let key = row["computed_key"], let url = row["url"] else {
        continue
      }
      let id = row["cache_key_override"].flatMap { $0 == "-" ? nil : $0 }
      groups[version, default: []].append(RecordedRequest(key: key, url: url, id: id))
    }
    #expect(groups.count > 5)
    for (version, requests) in groups {
      #expect(try RoundTrip.check(requests, ["client": "kingfisher \(version)"]).refusals == [])
    }
  }

  @Test func everyGoldenKeyOfSDWebImageComesBack() throws {
    var groups: [String: [RecordedRequest]] = [:]
    for row in try Fixtures.table("sdwebimage-keys.tsv") {
      guard let version = row["sd_version"], let key = row["cache_key"], let url = row["url"],
        url.hasPrefix("http")
      else { continue }
      let id = row["base_key"].flatMap { $0 == "-" ? nil : $0 }
      groups[version, default: []].append(RecordedRequest(key: key, url: url, id: id))
    }
    #expect(groups.count > 3)
    for (version, requests) in groups {
      #expect(try RoundTrip.check(requests, ["client": "sdwebimage \(version)"]).refusals == [])
      // Without the URL a key of the app's own says nothing of its source.
      let alone = requests.filter { $0.id == nil }.map { RecordedRequest(key: $0.key) }
      if !alone.isEmpty {
        #expect(try RoundTrip.check(alone, ["client": "sdwebimage \(version)"]).refusals == [])
      }
    }
  }

  @Test func keysAloneTellTheirURLs() throws {
    let rows = try Fixtures.table("nuke-keys.tsv").filter { row in
      // What stands behind a URL without a mark of Nuke's own cannot be told from it.
      row["image_id"] == "-" && row["url"]?.hasPrefix("https") == true
        && ["anon", ",id="].allSatisfy { mark in row["processors_spec"]?.contains(mark) == false }
    }
    #expect(rows.count > 50)
    for row in rows {
      guard let key = row["data_cache_key"], let version = row["nuke_version"], !version.hasPrefix("main")
      else { continue }
      let job = try RoundTrip.check([RecordedRequest(key: key)], ["client": "nuke \(version)"])
      #expect(job.refusals == [])
    }
  }

  @Test func pointsAreFoundAgainOnTheScreenThatTheKeysNameThemselves() throws {
    let key =
      "https://e.com/a.jpgcom.github.kean/nuke/resize?s=(960.0, 29997.0),cm=.aspectFit,crop=false,upscale=false"
    let job = try RoundTrip.check([RecordedRequest(key: key)], ["client": "nuke 12"])
    #expect(job.text.contains("resize(width: 320)\n"))
    #expect(job.text.contains("scale 3 "))
  }

  @Test func aChainInPointsNeedsItsKeysAtAllScales() throws {
    func key(_ side: Double) -> RecordedRequest {
      RecordedRequest(
        key:
          "https://e.com/a.jpgcom.github.kean/nuke/resize?s=(\(side), \(side)),cm=.aspectFill,crop=true,upscale=false"
      )
    }
    let settings = ["client": "nuke 12", "scale": "2 3"]
    let both = try RoundTrip.check([key(88), key(132)], settings)
    #expect(both.text.contains("resize(size: 44x44, crop: true)"))
    #expect(both.chainCount == 1)
    let one = try RoundTrip.check([key(132)], settings)
    #expect(one.text.contains("resize(size: 132x132, unit: pixels, crop: true)"))
  }

  @Test func buildersOfKingfisherAreSeenFromTheirKeys() throws {
    let blur = "https://e.com/a.jpg@|>com.onevcat.Kingfisher.BlurImageProcessor(4.0)"
    let small = "https://e.com/b.jpg@com.onevcat.Kingfisher.DownsamplingImageProcessor((40.0, 40.0))"
    let job = try RoundTrip.check([blur, small].map { RecordedRequest(key: $0) }, ["client": "kingfisher 8"])
    #expect(job.text.contains("style builder"))
    #expect(job.text.contains("blur(blurRadius: 4)"))
    #expect(!job.text.contains("default |"))
    let plain = "https://e.com/a.jpg@com.onevcat.Kingfisher.BlackWhiteProcessor"
    let mixed = try RoundTrip.check(
      [blur, plain].map { RecordedRequest(key: $0) }, ["client": "kingfisher 8"])
    #expect(mixed.text.contains("default | blur(blurRadius: 4)"))
  }

  @Test func whatAnAtSignInAURLIsIsNotGuessed() throws {
    for url in [
      "https://user@e.com/a.jpg", "https://e.com/photo@2x.png", "https://e.com/@me/a.jpg",
      "https://e.com/a.jpg@200w_1c.webp",
    ] {
      let job = try RoundTrip.check([RecordedRequest(key: url)], ["client": "kingfisher 8"])
      #expect(job.text.contains("\n\(url) original\n"), "\(job.text)")
    }
    let own = try RoundTrip.check(
      [RecordedRequest(key: "https://e.com/photo@2x.png@com.example.mono")], ["client": "kingfisher 8"])
    #expect(own.text.contains("custom(\"com.example.mono\")"))
    #expect(own.text.contains("\nhttps://e.com/photo@2x.png mono\n"))
  }

  /// The last word of an app's own identifier names its chain, whatever the job file means by it.
  @Test func noChainIsNamedLikeAWordOfTheJobFile() throws {
    let words =
      SettingTable.jobs.reservedWords.sorted() + ["blur", "custom", "\u{65e5}\u{672c}", "chain", ""]
    let requests = words.map { word in
      RecordedRequest(key: "https://e.com/a.jpg@com.example.\(word)", url: "https://e.com/a.jpg")
    }
    #expect(words.count > 40)
    for settings in [["client": "kingfisher 8"], ["client": "nuke 12"], ["client": "sdwebimage 5"]] {
      #expect(try RoundTrip.check(requests, settings).refusals == [])
    }
  }

  @Test func strippedQueriesAndIDsFollowFromURLs() throws {
    func request(_ key: String, _ url: String, id: String? = nil) -> RecordedRequest {
      RecordedRequest(key: key, url: url, id: id)
    }
    let job = try RoundTrip.check(
      [
        request("https://e.com/a.jpg?w=3", "https://e.com/a.jpg?w=3&token=1&exp=2"),
        request("https://e.com/b.jpg", "https://e.com/b.jpg?token=7"),
        request("art-9", "https://e.com/c.jpg"),
        request("art-10", "https://e.com/d.jpg", id: "art-10"),
      ], ["client": "nuke 12"])
    #expect(job.text.contains("strip-query token exp"))
    #expect(job.text.contains("https://e.com/a.jpg?w=3&token=1&exp=2 original\n"))
    #expect(job.text.contains("https://e.com/c.jpg original id=\"art-9\"\n"))
    #expect(job.text.contains("https://e.com/d.jpg original id=\"art-10\"\n"))
    #expect(job.refusals == [])
    // The same item that one key keeps and another leaves out is no rule.
    let torn = try RoundTrip.check(
      [
        request("https://e.com/a.jpg", "https://e.com/a.jpg?v=1"),
        request("https://e.com/b.jpg?v=2", "https://e.com/b.jpg?v=2"),
      ], ["client": "nuke 12"])
    #expect(!torn.text.contains("strip-query"))
    #expect(torn.text.contains("id=\"https://e.com/a.jpg\""))
  }

  @Test func whatNoJobCanSayBecomesAComment() throws {
    let job = try RoundTrip.check(
      ["product-2", "https://e.com/a.jpg\nb", "https://e.com/a.jpg"].map { RecordedRequest(key: $0) },
      ["client": "nuke 12"])
    #expect(job.refusals.map(\.key).sorted() == ["https://e.com/a.jpg\nb", "product-2"])
    #expect(job.text.contains("#     https://e.com/a.jpg\\nb\n"))
    #expect(job.sourceCount == 1)
  }

  @Test func aLineWithoutItsURLIsProposed() throws {
    let keys = ["avatar 42@com.onevcat.Kingfisher.BlurImageProcessor(4.0)", "https://e.com/a.jpg"]
    let job = try RoundTrip.check(keys.map { RecordedRequest(key: $0) }, ["client": "kingfisher 8"])
    let line = try #require(job.refusals.first?.proposal)
    #expect(line == "URL blur(blurRadius: 4) id=\"avatar 42\"")
    #expect(job.text.contains("#         \(line)\n"))
    let completed = line.replacing("URL ", with: "https://e.com/7.jpg ", maxReplacements: 1)
    let planned = Preheat.plan("client kingfisher 8\ncache out\n\(completed)\n")
    #expect(planned.plan?.renditions.map(\.key) == [keys[0]])
  }

  @Test func formsOfOneWordStayApart() throws {
    let keys = ["https://e.com/caf%C3%A9.jpg", "https://e.com/cafe%CC%81.jpg"]
    let own = ["caf\u{e9}", "cafe\u{301}"]
    let requests =
      keys.map { RecordedRequest(key: $0) }
      + own.map {
        RecordedRequest(
          key: "https://e.com/a.jpgcom.github.kean/nuke/circle\($0)", url: "https://e.com/a.jpg")
      }
    #expect(try RoundTrip.check(requests, ["client": "nuke 12"]).keyCount == 4)
  }

  @Test func anUnknownClientIsAMistake() {
    let (job, diagnostics) = KeyJob.make(
      from: [RecordedRequest(key: "https://e.com")], RoundTrip.overrides(["client": "nuke 9"]))
    #expect(job == nil)
    #expect(diagnostics.hasErrors)
    #expect(KeyJob.make(from: [RecordedRequest(key: "https://e.com")], GivenSettings()).job == nil)
  }
}
