import JobSupport
import Testing

@testable import Pictures
@testable import Planning

@Suite(.timeLimit(.minutes(10)))
struct PlanTests {
  private func plan(_ lines: String, client: String = "nuke 12", scale: String = "2 3") throws -> Plan {
    let planned = Preheat.plan("client \(client)\ncache out\nscale \(scale)\n\(lines)\n")
    #expect(planned.errors == [])
    return try #require(planned.plan)
  }

  @Test func pointsGiveARenditionForEachScalePixelsOne() throws {
    let plan = try plan(
      """
      https://e.com/1.jpg resize(width: 10) resize(width: 10, unit: pixels) thumbnail(maxPixelSize: 64) original
      """)
    #expect(plan.renditions.map(\.scale) == [2, 3, 2, 2, 2])
  }

  @Test func aSourceIsPlannedOnceHoweverOftenItIsNamed() throws {
    let plan = try plan(
      """
      https://e.com/1.jpg resize(width: 10)
      https://e.com/2.jpg original
      https://e.com/1.jpg original
      """)
    #expect(plan.sourceCount == 2)
    #expect(plan.renditions.map(\.line) == [4, 4, 6, 5])
  }

  @Test func aLineThatIsLeftOutForItsKeyIsToldWithItsText() throws {
    let lines = "https://e.com/1.jpg?token=S3CRET  original # one\nhttps://e.com/2.jpg original id=two"
    let planned = Preheat.plan(
      "client kingfisher 8\ncache out\nhashed-names off\nskip-invalid on\n\(lines)\n")
    let skipped = try #require(planned.plan).skipped.lines
    #expect(skipped.map(\.code) == [.key])
    #expect(skipped.map(\.diagnostic.line) == [5])
    #expect(skipped.map(\.diagnostic.sourceLine) == ["https://e.com/1.jpg?token=******  original # one"])
  }

  @Test func theSameRenditionTwiceIsOne() throws {
    let plan = try plan("https://e.com/1.jpg circle\nhttps://e.com/1.jpg circle reload")
    #expect(plan.renditionCount == 2 && Array(plan.renditions.map { $0.found }) == [.exact, .nothing])
    #expect(Set(plan.renditions.map { $0.stores }).count == 1)
    let again = try self.plan("https://e.com/1.jpg circle\nhttps://e.com/1.jpg circle priority=high")
    #expect(again.renditionCount == 1)
  }

  @Test(arguments: [
    ("original noDiskWrite", "original"), ("original offline", "original"),
    ("circle encode=png", "circle encode=png priority=high"),
    ("circle sha256=\(digest)", "circle priority=low"),
  ])
  func whichOfTwoEqualLinesComesFirstMakesNoDifference(one: String, other: String) throws {
    let url = "https://e.com/1.jpg"
    let first = try plan("\(url) \(one)\n\(url) \(other)")
    let second = try plan("\(url) \(other)\n\(url) \(one)")
    let lookups = [first, second].map { $0.renditions.map(\.lookup) }
    #expect(lookups[0] == lookups[1])
    #expect(lookups[0].allSatisfy { $0?.isExact == true })
    #expect(first.options[Int(first.rows[0].options)] == second.options[Int(second.rows[0].options)])
  }

  private static let digest = String(repeating: "0a", count: 32)

  @Test func ofTwoExpiriesTheLaterHolds() throws {
    let url = "https://e.com/1.jpg"
    let texts = ["expires=7d", "expires=never", "expires=2030-01-31", "expires=1d", ""]
    for one in texts {
      for other in texts {
        let plans = [(one, other), (other, one)].map { pair in
          Preheat.plan("client kingfisher 8\ncache out\n\(url) \(pair.0)\n\(url) \(pair.1)").plan
        }
        let expiries = try plans.map { try #require($0).renditions.flatMap(\.stores).map(\.expiry) }
        #expect(expiries[0] == expiries[1], "\(one) and \(other)")
      }
    }
  }

  @Test func urgentSourcesComeFirst() throws {
    let plan = try plan("https://e.com/1.jpg circle\nhttps://e.com/2.jpg circle priority=high")
    #expect(plan.renditions.map(\.source) == ["https://e.com/2.jpg", "https://e.com/1.jpg"])
  }

  @Test(arguments: [
    "https://e.com/1.jpg circle id=x\nhttps://e.com/2.jpg circle id=x",
    "https://e.com/1.jpg custom(\"ab\")|custom(\"c\")\nhttps://e.com/1.jpg custom(\"a\")|gaussianBlur(radius: 1) as \"bc\"",
    "policy storeOriginalData\nhttps://e.com/1.jpg circle id=x\nhttps://e.com/2.jpg gaussianBlur id=x",
    "https://e.com/1.jpg circle encode=png\nhttps://e.com/1.jpg circle encode=jpeg(quality:50)",
    "https://e.com/1.jpg resize(width: 9) embedded=only\nhttps://e.com/1.jpg resize(width: 9)",
  ])
  func twoRenditionsWithOneKeyAreAnErrorThatNamesBothLines(lines: String) {
    let planned = Preheat.plan("client nuke 12\ncache out\n\(lines)\n")
    #expect(planned.plan == nil)
    #expect(planned.errors.count == 1)
    #expect(planned.errors.first?.contains("test.job:") == true)
  }

  /// What takes the processor's identifier away takes the scale out of the key as well.
  @Test func aChainWithOneKeyForTwoScalesIsToldByItself() {
    let lines = "https://e.com/1.jpg resize(width: 10) as \"own\""
    let planned = Preheat.plan("client nuke 12\ncache out\nscale 2 3\n\(lines)\n")
    #expect(
      planned.errors == ["this chain has one cache key at the scales 2 and 3, and other pixels at each"])
    #expect(Preheat.plan("client nuke 12\ncache out\nscale 3\n\(lines)\n").errors == [])
    let twice = Preheat.plan(
      "client nuke 12\ncache out\nhttps://e.com/1.jpg circle as \"x\" gaussianBlur as \"x\"\n")
    #expect(twice.errors == ["this rendition has the same cache key as another one, in this line"])
  }

  @Test(arguments: [
    ("automatic", "original", ["U:original"]), ("automatic", "circle", ["p:encoded"]),
    ("storeOriginalData", "circle", ["U:original"]), ("storeEncodedImages", "original", ["U:encoded"]),
    ("storeAll", "circle", ["p:encoded", "U:original"]),
  ])
  func thePolicyDecidesWhatIsStored(policy: String, chain: String, stores: [String]) throws {
    let plan = try plan("policy \(policy)\nhttps://e.com/1.jpg \(chain)", client: "nuke 13")
    let url = "https://e.com/1.jpg"
    let found = plan.renditions.flatMap(\.stores).map { store in
      (store.key == url ? "U" : "p") + ":" + store.content.rawValue
    }
    #expect(found == stores)
  }

  @Test(arguments: [
    ("nuke 10.0.0", "resize(width: 9) | circle", true), ("nuke 13", "thumbnail(maxPixelSize: 9)", true),
    ("nuke 12", "resize(width: 9) | coreImage(name: CISepiaTone)", false), ("nuke 12", "gaussianBlur", false),
    ("kingfisher 6", "resizing(referenceSize: 9x9)", false),
    ("kingfisher 6", "downsampling(size: 9x9)", true),
    ("kingfisher 7.0.0", "resizing(referenceSize: 9x9)", true), ("kingfisher 8", "blackWhite", false),
    ("sdwebimage 5.12.4", "flip(horizontal: true, vertical: false)", false),
    ("sdwebimage 5.12.5", "flip(horizontal: true, vertical: false)", true),
    ("sdwebimage 5.21", "blur(radius: 3)", false),
  ])
  func theReleaseDecidesWhetherAWideGamutStays(client: String, chain: String, stays: Bool) throws {
    let line = "https://e.com/1.jpg \(chain)"
    func outputs(_ setting: String) throws -> [RenderOutput?] {
      let plan = try plan("\(setting)\n\(line)", client: client, scale: "2")
      return plan.variants.map { plan.output(of: $0, options: .none) }
    }
    let kept = try outputs("")
    #expect(kept.map { $0?.keepsGamut } == [stays ? true : nil])
    #expect(try outputs("gamut client") == kept)
    #expect(try outputs("gamut srgb").map { $0?.keepsGamut } == [nil])
  }

  @Test func strippedQueryItemsLeaveTheKeyButNotTheDownload() throws {
    let plan = try plan("strip-query token\nhttps://e.com/1.jpg?w=3&token=abc original")
    let rendition = try #require(plan.renditions.first { _ in true })
    #expect(rendition.key == "https://e.com/1.jpg?w=3")
    #expect(rendition.source == "https://e.com/1.jpg?w=3&token=abc")
  }

  @Test func aProcessorKnownByAnotherNameKeepsItsDrawing() throws {
    let plan = try plan("https://e.com/1.jpg circle as \"com.example.round\"")
    #expect(plan.renditions.map(\.key) == ["https://e.com/1.jpgcom.example.round"])
    #expect(plan.variants[Int(plan.rows[0].variant)].form.drawing == .steps([.circle(border: nil)]))
  }

  @Test func whatCannotBeDrawnHasAKeyAndAReason() throws {
    let plan = try plan(
      "policy storeAll\nhttps://e.com/1.gif custom(\"x\") coreImage(name: CITwirlDistortion)")
    #expect(plan.renditions.allSatisfy { $0.note != nil && !$0.key.isEmpty && $0.stores.isEmpty })
    #expect(
      plan.renditions.allSatisfy { $0.impossibility?.code == "plan.not-drawable" && $0.lookups.isEmpty })
  }

  @Test(arguments: [("nuke 12", 33.3 * 3), ("nuke 13", Double(Float(33.3 * 3)))])
  func targetsAreRoundedAsTheVersionDoes(client: String, width: Double) throws {
    let plan = try plan("https://e.com/1.jpg resize(size: 33.3x10)", client: client, scale: "3")
    guard case .steps(let steps) = plan.variants[Int(plan.rows[0].variant)].form.drawing,
      let resize = steps.first?.value as? RenderStep.Resize
    else {
      Issue.record("not a resize")
      return
    }
    #expect(resize.width == width)
  }

  @Test func severalJobsShareADownload() throws {
    let first = try plan("https://e.com/1.jpg circle\nhttps://e.com/2.jpg circle")
    let second = try plan("https://e.com/2.jpg gaussianBlur\nhttps://e.com/3.jpg circle")
    let works = Array(SourceWork.collect([first, second]))
    #expect(works.map(\.url) == ["https://e.com/1.jpg", "https://e.com/2.jpg", "https://e.com/3.jpg"])
    #expect(works[1].parts == [.init(plan: 0, source: 1), .init(plan: 1, source: 0)])
  }
}

/// A file's URL is another on every device.
@Suite(.timeLimit(.minutes(10)))
struct LocalKeyTests {
  private func warnings(_ lines: String, client: String = "nuke 12") -> [String] {
    Preheat.plan("client \(client)\ncache out\n\(lines)\n").warnings
  }

  @Test func allSourcesUnderAPathOfThisMachineAreOneWarning() {
    let one = warnings("file:///srv/1.png original\nhttps://e.com/1.png original")
    #expect(one.count == 1 && one[0].hasPrefix("the key of this source is a path of this machine"))
    let three = warnings("FILE:///srv/1.png circle\n./2.png circle\n/3.png circle id=three\n/4.png circle")
    #expect(
      three.count == 1
        && three[0].hasPrefix("the keys of 3 sources, this one the first, are paths of this machine"))
  }

  @Test func aKeyOfTheAppsOwnIsNone() {
    #expect(warnings("/srv/1.png original id=one\ndata:image/gif;base64,AAAA original") == [])
    // Kingfisher leaves out what stands before the app's folder.
    #expect(warnings("/srv/My.app/1.png original", client: "kingfisher 8") == [])
    #expect(warnings("/srv/My.app/1.png original", client: "kingfisher 6").count == 1)
    #expect(warnings("/srv/1.png original", client: "kingfisher 8").count == 1)
  }
}

/// What a plan promises of an app's lookups.
@Suite(.timeLimit(.minutes(10)))
struct PlannedLookupTests {
  private func lookups(_ lines: String, client: String) throws -> [String] {
    let planned = Preheat.plan("client \(client)\ncache out\n\(lines)\n")
    let plan = try #require(planned.plan, "\(planned.errors)")
    return plan.renditions.map { rendition in
      rendition.lookup.map { "\($0.part)\($0.isExact ? "" : " partly")" } ?? "miss"
    }
  }

  @Test(arguments: [
    // Its own policy stores the original of a thumbnail where 12.6 to 12.9 never look for it.
    ("policy storeOriginalData", "nuke 12.9.0", "thumbnail(maxPixelSize: 9)", "miss"),
    ("policy storeOriginalData", "nuke 13", "thumbnail(maxPixelSize: 9)", "U partly"),
    ("policy storeOriginalData", "nuke 12.5.0", "thumbnail(maxPixelSize: 9)", "U+T"),
    ("policy reachable", "nuke 12.9.0", "thumbnail(maxPixelSize: 9)", "U+T"),
    ("policy storeOriginalData", "nuke 12", "circle", "U partly"),
    ("policy automatic", "nuke 12", "circle", "U+p1"),
    ("policy automatic", "nuke 12", "original", "U"),
    ("policy automatic", "nuke 12", "custom(\"x\")", "miss"),
  ])
  func aPlanSaysWhatTheVersionFinds(policy: String, client: String, chain: String, found: String) throws {
    #expect(try lookups("\(policy)\nhttps://e.com/1.jpg \(chain)", client: client) == [found])
  }

  @Test(arguments: [
    ("automatic", "circle noDiskRead", "miss", "disableDiskCacheReads"),
    ("reachable", "circle noDiskRead", "miss", "disableDiskCacheReads"),
    ("automatic", "circle offline", "U+p1", ""),
    ("storeOriginalData", "circle offline", "miss", "returnCacheDataDontLoad"),
    ("storeOriginalData", "original offline", "U", ""),
    ("reachable", "circle offline", "U+p1", ""),
  ])
  func theRequestsOptionsDecideWhatIsLookedUp(policy: String, line: String, found: String, note: String)
    throws
  {
    let text = "policy \(policy)\nhttps://e.com/1.jpg \(line)"
    for client in ["nuke 12", "nuke 13"] {
      #expect(try lookups(text, client: client) == [found])
      let plan = try #require(Preheat.plan("client \(client)\ncache out\n\(text)\n").plan)
      let said = plan.renditions.compactMap(\.note)
      #expect(note.isEmpty ? said.isEmpty : said.contains { $0.contains(note) })
    }
  }

  /// `reload` of a job for Kingfisher is `forceRefresh`, which never reads.
  @Test func aRequestThatReloadsFindsNothing() throws {
    let head = "client kingfisher 8\ncache out\n"
    func found(_ lines: String...) throws -> [String] {
      let text = lines.map { "https://e.com/1.jpg blur(blurRadius: 4) \($0)\n" }.joined()
      let plan = try #require(Preheat.plan(head + text).plan)
      return plan.renditions.map { rendition in
        #expect((rendition.found == .nothing) == (rendition.note?.contains("forceRefresh (reload)") == true))
        return "\(rendition.found)"
      }
    }
    #expect(try found("reload") == ["nothing"])
    #expect(try found("reload", "noDiskRead") == ["nothing"] && found("noDiskRead", "reload") == ["nothing"])
    #expect(try found("reload", "") == ["nothing", "exact"] && found("", "reload") == ["exact", "nothing"])
    #expect(try found("reload", "", "reload") == ["nothing", "exact"])
    for client in ["nuke 12", "sdwebimage 5"] {
      #expect(try lookups("https://e.com/1.jpg original reload", client: client) == ["miss"])
    }
  }

  /// Each line looks up what its own request does, whatever others of the same entry do.
  @Test(arguments: [
    ["noDiskRead", "offline"], ["noDiskRead", "offline", "noDiskRead"], ["noDiskRead offline", "noDiskRead"],
    ["noDiskRead", ""], ["offline", "offline"], ["offline", "", "noDiskRead"], ["reload", "noDiskRead", ""],
  ])
  func aRequestOnSeveralLinesIsLookedUpByLine(options: [String]) throws {
    let kinds = ["": "U+p1+p2 U+p1 U", "offline": "U+p1+p2"]
    for order in [options, options.reversed()] {
      let lines = order.map { "https://e.com/1.jpg circle|gaussianBlur \($0)" }.joined(separator: "\n")
      let planned = Preheat.plan("client nuke 12\ncache out\n\(lines)\n")
      let plan = try #require(planned.plan, "\(planned.errors)")
      var wanted: [String] = []
      for option in order where !wanted.contains(kinds[option] ?? "") { wanted.append(kinds[option] ?? "") }
      let found = plan.rows.map { plan.storage(of: $0).lookups.map(\.part).joined(separator: " ") }
      #expect(found == wanted, "\(order)")
    }
  }

  /// A forced extension gives one key two files, and each is stored.
  @Test func oneKeyWithTwoFileNamesIsTwoFiles() throws {
    let line = "https://e.com/1.jpg blur(blurRadius: 4)"
    let head = "client kingfisher 8\ncache out\n"
    let text =
      head + [line, "\(line) forced-extension=heic", "\(line) forced-extension=heic"].joined(separator: "\n")
    let plan = try #require(Preheat.plan(text).plan)
    #expect(plan.renditions.flatMap { $0.stores }.count { $0.fileName.hasSuffix(".heic") } == 1)
    #expect(plan.renditionCount == 2 && Set(plan.renditions.map { $0.key }).count == 1)
    let data = Preheat.plan("\(head)\(line)\n\(line) original-data=on\n")
    #expect(data.errors.joined().contains("the same cache key"))
  }

  @Test func oneRenditionsEntryServesAnothersLookup() throws {
    let lines = "https://e.com/1.jpg circle custom(\"x\") circle|custom(\"x\")"
    #expect(try lookups(lines, client: "nuke 12") == ["U+p1", "miss", "U+p1 partly"])
    // Before 12.6.0 only the whole chain and the original are looked up.
    #expect(try lookups(lines, client: "nuke 12.5.0") == ["U+p1", "miss", "miss"])
  }
}
