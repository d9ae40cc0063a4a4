import Foundation
import Testing

/// Runs on days on which clocks are wrong, jump or overflow.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ClockTests {
  struct Script: Sendable {
    var name: String
    /// When the runs start, in seconds since 1970.
    var starts: [Int]
    var zone = "UTC"
  }

  static let scripts = [
    Script(name: "a clock that was never set", starts: [86_400, 90_000]),
    // One of the runs starts half an hour before the hour that comes twice, one in it.
    Script(name: "the end of summer time", starts: [1_792_886_400, 1_792_890_000], zone: "Europe/Berlin"),
    Script(name: "a jump back by a year", starts: [1_830_000_000, 1_798_464_000]),
    Script(name: "the end of 32 bits", starts: [2_147_483_640, 2_147_483_660]),
    Script(name: "the end of 32 bits without a sign", starts: [4_294_967_290, 4_294_967_310]),
  ]

  @Test(arguments: scripts) func noEntryExpiresBeforeItIsStored(script: Script) throws {
    let scene = try Scene(
      "\(Scene.logo) original id=week expires=7d\n\(Scene.logo) original id=always expires=never",
      head: "client kingfisher 8\ncache cache\n")
    for start in script.starts {
      try scene.run(environment: ["SOURCE_DATE_EPOCH": "\(start)", "TZ": script.zone]).expect(0)
      let dates = try scene.names().map { name in
        let path = scene.folder.file("cache/\(name)").path
        return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      }
      #expect(dates.count == 2)
      let seconds = dates.compactMap { $0?.timeIntervalSince1970 }.sorted()
      // A week from the start, to the second; and far ahead.
      #expect(
        seconds.first.map { abs($0 - Double(start + 7 * 86_400)) <= 1 } == true,
        "\(script.name): \(seconds)")
      #expect(seconds.last.map { $0 > Double(start + 365 * 86_400) } == true, "\(script.name): \(seconds)")
    }
  }
}
