import Foundation
import JobSupport
import Pictures
import Planning
import TestSupport
import Testing

@testable import CacheTools

/// Settings of a client's requests as options of a job line, for an app whose requests differ in them.
@Suite(.timeLimit(.minutes(10)))
struct RequestSettingTests {
  private static let url = "https://e.com/1.gif"

  private func plan(_ client: String, _ setting: String, _ line: String) throws -> Plan {
    let planned = Preheat.plan("client \(client)\ncache out\nscale 1\n\(setting)\n\(Self.url) \(line)")
    return try #require(planned.plan, "\(planned.errors)")
  }

  @Test(arguments: [
    ("kingfisher 8", "style", "builder", "blur(blurRadius: 4)"),
    ("kingfisher 8", "style", "builder", "default | downsampling(size: 4x4)"),
    ("kingfisher 8.8.1", "forced-extension", "heic", "original"),
    ("kingfisher 8", "forced-extension", "heic", "blackWhite"),
    ("kingfisher 8", "original-data", "on", "custom(\"com.yeatse.WebPProcessor\")"),
    ("kingfisher 7.4.0", "original-data", "on", "blackWhite"),
    ("sdwebimage 5", "store-cache-type", "memory", "blur(radius: 5)"),
    ("sdwebimage 5", "original-store-cache-type", "none", "blur(radius: 5)"),
    ("sdwebimage 5.10.0", "original-query-cache-type", "all", "blur(radius: 5)"),
    ("sdwebimage 5", "transform-animated", "frames", "blur(radius: 5)"),
  ])
  func aLineHasItAsTheJobDoes(client: String, name: String, value: String, chain: String) throws {
    let style = client.hasPrefix("kingfisher") && name != "style" ? "style options" : "# none"
    let ofJob = try plan(client, style == "# none" ? "\(name) \(value)" : "\(style)\n\(name) \(value)", chain)
    let ofLine = try plan(client, style == "# none" ? style : "\(style)\n#", "\(chain) \(name)=\(value)")
    let plain = try plan(client, style == "# none" ? style : "\(style)\n#", chain)
    for kind in [nil, AnimatedKind.gif, .webp] {
      let renditions = [ofJob, ofLine].map { $0.rendition(at: $0.rows[0], as: kind) }
      #expect(renditions[0] == renditions[1])
    }
    let differs = [nil, AnimatedKind.gif].contains { kind in
      plain.rendition(at: plain.rows[0], as: kind) != ofLine.rendition(at: ofLine.rows[0], as: kind)
    }
    #expect(differs, "the setting makes a difference here")
    #expect(Plan.files(of: [ofJob]) == Plan.files(of: [ofLine]))
    let folder = try TemporaryFolder()
    let probes = try [ofJob, ofLine].map { String(describing: try $0.probes(in: folder.path)) }
    #expect(probes[0] == probes[1])
  }

  @Test func requestsOfBothStylesStandInOneJob() throws {
    let job = """
      client kingfisher 8
      cache out
      scale 1
      chain small = blur(blurRadius: 4)
      https://e.com/1.jpg small style=options
      https://e.com/1.jpg small style=builder
      https://e.com/2.jpg small style=builder id=two
      """
    let planned = Preheat.plan(job)
    let plan = try #require(planned.plan)
    #expect(planned.warnings == [], "each line says its style")
    let ending = "com.onevcat.Kingfisher.BlurImageProcessor(4.0)"
    #expect(
      plan.renditions.map(\.key) == [
        "https://e.com/1.jpg@\(ending)", "https://e.com/1.jpg@|>\(ending)", "two@|>\(ending)",
      ])
    let code = WarmedRequests(plan).swift(withKeys: true)
    #expect(code.contains("view.kf.setImage(with: URL(string: url), options: smallOptions)"))
    #expect(code.contains("static func small2(_ url: String, id: String? = nil) -> KFImage"))
    #expect(code.contains("(\"small\", \"https://e.com/1.jpg\", 1, \"https://e.com/1.jpg@\(ending)\""))
    #expect(code.contains("(\"small2\", \"https://e.com/1.jpg\", 1, \"https://e.com/1.jpg@|>\(ending)\""))
  }

  @Test func ofLinesOfOneKeyTheOneThatStoresMoreHolds() throws {
    let lines = ["card original-store-cache-type=none", "card"]
    for lines in [lines, lines.reversed()] {
      let text = lines.map { "https://e.com/1.jpg \($0)" }.joined(separator: "\n")
      let plan = try #require(
        Preheat.plan("client sdwebimage 5\ncache out\nchain card = blur(radius: 5)\n\(text)").plan)
      #expect(plan.rows.count == 1)
      #expect(plan.rendition(at: plan.rows[0]).stores.map(\.content) == [.encoded, .original])
    }
    let same = Preheat.plan(
      "client kingfisher 8\ncache out\nhttps://e.com/1.jpg original\nhttps://e.com/1.jpg original style=builder"
    )
    #expect(same.errors == [] && same.plan?.rows.count == 1)
    let other = Preheat.plan(
      """
      client kingfisher 8
      cache out
      https://e.com/1.jpg original
      https://e.com/1.jpg original forced-extension=heic
      """)
    #expect(other.errors == [] && other.plan?.rows.count == 2)
  }

  @Test(arguments: [
    ("nuke 12", "original style=builder", "'style=' belongs to kingfisher, and the client is nuke"),
    (
      "sdwebimage 5", "original style=builder", "'style=' belongs to kingfisher, and the client is sdwebimage"
    ),
    ("kingfisher 8", "original style=bilder", "no style is called 'bilder'"),
    ("kingfisher 8", "original style=", "a value is missing behind 'style='"),
    ("kingfisher 8", "original style=builder style=options", "'style' is given twice"),
    ("kingfisher 8", "original original-data=perhaps", "original-data is on or off, not 'perhaps'"),
    ("kingfisher 8", "original hashed-names=off", "no option is called 'hashed-names='"),
    ("kingfisher 5", "blackWhite style=builder", "has no KF builder"),
    ("kingfisher 8.0.0", "original forced-extension=heic", "has no forced extension"),
    ("sdwebimage 5.0.6", "original original-store-cache-type=disk", "has no originalStoreCacheType"),
  ])
  func aWrongOneIsAMistakeOfItsLine(client: String, line: String, message: String) {
    let job = JobFileReading("client \(client)\ncache out\nhttps://e.com/1.jpg \(line)")
    #expect(job.errors.count == 1 && job.errors[0].message.contains(message), "\(job.errors.map(\.message))")
    #expect(job.errors.allSatisfy { $0.line == 3 && $0.column > 21 })
  }

  @Test func aListHasItForAllItsSources() throws {
    let folder = try TemporaryFolder()
    try Data("https://e.com/1.jpg\nhttps://e.com/2.jpg\n".utf8).write(to: folder.file("urls.txt"))
    let text =
      "client kingfisher 8\ncache out\nscale 1\ninclude urls.txt blackWhite style=builder forced-extension=heic\n"
    try Data(text.utf8).write(to: folder.file("all.job"))
    let plan = try #require(Plan.make(.file(folder.file("all.job").path)).plan)
    for rendition in plan.renditions {
      #expect(rendition.key.contains("@|>") && rendition.fileName?.hasSuffix(".heic") == true)
    }
  }
}
