import Foundation
import TestSupport
import Testing

/// A look of the built command that fails is no proof that nothing is there: what is good stays.
@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct HiddenFileTests {
  @Test(
    .enabled(if: Tracing.isPossible),
    arguments: [
      "verify cache --repair", "sweep cache", "run test.job", "run fewer.job --prune --prune-most 100%",
    ])
  func whatASystemCallHidesIsNotRemoved(line: String) throws {
    let scene = try Scene.ordinary()
    try scene.write(Scene.ordinaryLines.dropLast().joined(separator: "\n"), to: "fewer.job")
    #expect(try scene.run().status == 0)
    let one = try #require(scene.names().min())
    if line.hasPrefix("verify") { try scene.folder.write("damaged", to: "cache/\(one)") }
    let before = scene.folder.file("before").path
    func restore() {
      for name in ["cache", "cache.preheat"] {
        #expect(
          Tracing.succeeds([
            "sh", "-c", "rm -rf \"$2\" && cp -a \"$1\" \"$2\"", "sh", "\(before)/\(name)",
            scene.folder.file(name).path,
          ]))
      }
    }
    func work(_ wrapper: [String]) throws -> BuiltCommand.Result {
      let words = line.split(separator: " ").map(String.init)
      return try BuiltCommand.run(words, in: scene.folder.url, wrapper: wrapper)
    }
    let paths = ["cache", "cache.preheat"].map { scene.folder.file($0).path }
    #expect(Tracing.succeeds(["mkdir", before]) && Tracing.succeeds(["cp", "-a"] + paths + [before]))
    // All that stays where nothing goes wrong.
    let points = try Tracing.points(
      of: {
        let status = try work($0).status
        #expect(status <= 6)
      }, Tracing.looking)
    let kept = try scene.entries()
    #expect(kept.count >= 18 && points.count > 20)
    for (number, point) in Tracing.sample(points, few: 8).enumerated() {
      restore()
      let error = ["EIO", "EACCES", "EMFILE", "ESTALE"][number % 4]
      let wrapper = Tracing.wrapper(point.call, number: point.number, fault: "error=\(error)")
      let status = try work(wrapper).status
      let left = try scene.entries()
      let gone = kept.filter { left[$0.key] != $0.value }.count
      #expect(gone == 0, "\(point) \(error): \(status)")
    }
  }

  /// What a command says of a cache is what is there, or it fails.
  @Test(
    .enabled(if: Tracing.isPossible),
    arguments: [
      "plan test.job --json", "code test.job --swift --tests", "key LOGO --job test.job --in cache",
      "replay keys.txt --in cache --json", "inspect cache --json", "diff cache other --json",
      "bundle cache -o out.zip --json",
    ])
  func whatASystemCallHidesIsNotSaidToBeAbsent(line: String) throws {
    let scene = try Scene.ordinary().warmed()
    try scene.run(["--cache", "other"]).expect(0)
    try scene.folder.write("logo.png\nmountains.jpg\n", to: "keys.txt")
    let words = line.split(separator: " ").map { $0 == "LOGO" ? Scene.logo : String($0) }
    let right = try scene.preheat(words)
    #expect(right.status == 0 || right.status == 10)
    let points = try Tracing.points(of: { _ = try scene.preheat(words, wrapper: $0) }, Tracing.looking)
    for (number, point) in Tracing.sample(points, few: 10).enumerated() {
      let error = ["EIO", "EACCES", "EMFILE", "ESTALE"][number % 4]
      let wrapper = Tracing.wrapper(point.call, number: point.number, fault: "error=\(error)")
      let result = try scene.preheat(words, wrapper: wrapper)
      let isRight = result.status == right.status && result.output == right.output
      #expect(isRight || ![0, right.status].contains(result.status), "\(point) \(error) \(result)")
    }
  }
}
