import Foundation
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct OrderTests {
  @Test func theOrderOfLinesAndTheNumberOfWorkersChangeNoByte() throws {
    let reference = try Scene.ordinary()
    #expect(try reference.run(["-w", "1"]).status == 0)
    let bundle = try Self.bundle(reference)
    for round in 1...FaultCount.of(3, full: 10) {
      let scene = try Scene(Scene.ordinaryLines.shuffled().joined(separator: "\n"))
      let workers = [1, 2, 3, 16][round % 4]
      try scene.run(
        ["-w", "\(workers)", "--per-host", "\(round)"], environment: Self.places[round % Self.places.count]
      ).expect(0)
      #expect(try scene.files() == reference.files())
      #expect(try Self.bundle(scene, environment: Self.places[round % Self.places.count]) == bundle)
    }
  }

  /// Where on earth a run may be.
  private static let places = [
    ["TZ": "UTC", "LC_ALL": "C"], ["TZ": "Pacific/Kiritimati", "LC_ALL": "de_DE.UTF-8"],
    ["TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8"], ["TZ": "Asia/Kathmandu", "LANG": "ar_EG.UTF-8"],
  ]

  private static func bundle(_ scene: Scene, environment: [String: String] = [:]) throws -> Data {
    let result = try scene.preheat(
      ["bundle", "cache", "-o", "cache.zip", "--allow-local-keys"], environment: environment)
    try #require(result.status == 0, "\(result.messages)")
    return try Data(contentsOf: scene.folder.file("cache.zip"))
  }
}
