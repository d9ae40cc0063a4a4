import JobSupport
import Pictures
import Planning
import Testing

@testable import CacheTools

/// Keys that an app makes itself: by the delegate of a Nuke pipeline, and originals under a text of the app's own.
@Suite(.timeLimit(.minutes(10)))
struct DelegateKeyTests {
  private func plan(_ client: String, _ line: String, settings: String = "scale 1") throws -> Plan {
    let planned = Preheat.plan("client \(client)\ncache out\n\(settings)\nhttps://e.com/1.jpg \(line)")
    return try #require(planned.plan, "\(planned.errors)")
  }

  private func code(_ client: String, _ line: String) throws -> String {
    WarmedRequests(try plan(client, line)).swift(withKeys: true)
  }

  @Test(arguments: ["nuke 10", "nuke 12", "nuke 13"])
  func aRequestWhoseKeyADelegateGivesHasNoImageID(client: String) throws {
    let card = try code(client, "resize(width: 320) as \"\" id=card-1")
    #expect(card.contains("ImageRequest(url: URL(string: url), processors: [.resize(width: 320)])"))
    #expect(card.contains("// The delegate's cacheKey(for:pipeline:) gives the key."))
    #expect(card.contains("(_ url: String) -> ImageRequest") && card.contains("\"card-1\", \""))
    let raw = try code(client, "original as \"\" id=raw-1")
    #expect(raw.contains("ImageRequest(url: URL(string: url))"))
    let small = try code(client, "thumbnail(maxPixelSize: 64) as \"\" | circle as \"\" id=small-1")
    #expect(small.contains("processors: [.circle()]") && small.contains("ThumbnailOptions(maxPixelSize: 64)"))
    for code in [card, raw, small] {
      #expect(!code.contains("imageID") && !code.contains("imageIdKey") && !code.contains("the app's own"))
    }
    // An image ID of the app's own stays one.
    #expect(try code(client, "original id=one").contains("if let id"))
    #expect(try code(client, "resize(width: 320) as \"com.example.card\" id=one").contains("if let id"))
  }

  @Test(arguments: [
    ("nuke 12", "original as \"\" id=raw", "raw"),
    ("nuke 12", "original as \"-v2\"", "https://e.com/1.jpg-v2"),
    ("nuke 12", "thumbnail(size: 4x4) as \"\" id=t", "t"),
    ("nuke 12", "thumbnail(size: 4x4) as \"\" | circle as \"-round\" id=t", "t-round"),
    ("kingfisher 8", "original as \"com.example.raw\"", "https://e.com/1.jpg@com.example.raw"),
    ("kingfisher 8", "original as \"raw\" style=builder", "https://e.com/1.jpg@|>raw"),
    ("sdwebimage 5", "original as \"raw\"", "https://e.com/1-raw.jpg"),
  ])
  func aKeyHasTheAppsOwnText(client: String, line: String, key: String) throws {
    let plan = try plan(client, line)
    let rendition = plan.rendition(at: plan.rows[0])
    #expect(rendition.key == key && rendition.found == .exact && rendition.note == nil)
    let isOriginal = line.hasPrefix("original")
    #expect(rendition.stores.first { $0.key == key }?.content == (isOriginal ? .original : .encoded))
    // Own bytes, whatever the source turns out to be.
    guard isOriginal else { return }
    for kind in AnimatedKind.allCases {
      #expect(plan.rendition(at: plan.rows[0], as: kind).stores == rendition.stores)
    }
  }

  /// The keys that a delegate gives the original, and results of fewer processors, are not in the line.
  @Test(arguments: [
    "resize(width: 4) as \"\" | circle as \"-round\"", "thumbnail(maxPixelSize: 4) as \"t\" | circle as \"\"",
  ])
  func nothingElseIsStoredOrLookedUp(chain: String) throws {
    for client in ["nuke 10", "nuke 12", "nuke 13"] {
      let plan = try plan(client, "\(chain) id=k", settings: "scale 1\npolicy storeAll")
      let rendition = plan.rendition(at: plan.rows[0])
      #expect(rendition.stores.map(\.content) == [.encoded] && rendition.stores[0].key == rendition.key)
      #expect(plan.storage(of: plan.rows[0]).lookups.count == 1)
      let code = try code(client, "\(chain) id=k")
      #expect(code.contains(".circle()"))
      #expect(!code.contains("imageI"))
    }
  }

  @Test func anOriginalOfTheAppsOwnIsStoredByThePolicyOfAnOriginal() throws {
    for policy in ["automatic", "storeOriginalData", "storeEncodedImages", "storeAll", "reachable"] {
      let stores = try ["original as \"-v2\"", "original"].map { line in
        let plan = try plan("nuke 12", line, settings: "policy \(policy)")
        return plan.rendition(at: plan.rows[0]).stores.map(\.content)
      }
      #expect(stores[0] == stores[1], "\(policy)")
    }
  }

  @Test(arguments: [
    "original as \"x\" | circle", "circle | original as \"x\"", "raw | circle", "circle | raw",
  ])
  func anOriginalStandsAlone(chain: String) {
    let job = JobFileReading(
      "client nuke 12\ncache out\nchain raw = original as \"x\"\nhttps://e.com/1.jpg \(chain)\nhttps://e.com/2.jpg raw"
    )
    #expect(job.errors.map(\.message) == ["'original' stands alone: it means no processing"])
  }
}
