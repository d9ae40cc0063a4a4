import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OrderTests {
  @Test func theOrderOfLinesAndTheNumberOfWorkersChangeNoByte() async throws {
    try await OwnThread {
      let reference = try Scene.ordinary()
      #expect(try reference.run(["-j", "1"]).status == 0)
      for round in 1...3 {
        let scene = try Scene(Scene.ordinaryLines.shuffled().joined(separator: "\n"))
        #expect(try scene.run(["-j", "\(round)", "--connections", "\(round)"]).status == 0)
        #expect(try scene.files() == reference.files())
      }
    }.value
  }
}
