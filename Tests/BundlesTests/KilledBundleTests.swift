import Foundation
import TestSupport
import Testing

@testable import Bundles
@testable import FileStore

/// A bundle whose maker is killed at any of its calls is the old one or the new one, and the next maker completes it.
@Suite(.timeLimit(.minutes(10)))
struct KilledBundleTests {
  private static let names = ["aa", "bb", "cc"]

  /// A cache, and a bundle of what it was before.
  private struct Stage {
    let sample: SampleCache
    let cache: String
    let output: String

    init(_ output: String) throws {
      sample = SampleCache()
      _ = try sample.write(KilledBundleTests.names)
      cache = sample.temporary.file("cache/com.example.catalog").path
      self.output = sample.temporary.file("out/\(output)").path
      try make()
      _ = try sample.write(KilledBundleTests.names, edition: ", better")
    }

    func make(_ calls: FileCalls = .system) throws {
      let options = BundleOptions(output: output, format: .init(ofPath: output))
      _ = try BundleMaker(options, calls: calls).make(from: cache)
    }

    func id() throws -> String { try SampleCache.proved(URL(fileURLWithPath: output)).id }

    func beside() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: sample.temporary.file("out").path)
    }
  }

  private func killEverywhere(
    _ output: String, isReplacedInOneStep: Bool = true,
    calls: @escaping (FileCalls) -> FileCalls = { $0 }
  ) async throws {
    let whole = try Stage(output)
    let old = try whole.id()
    try whole.make()
    let new = try whole.id()
    #expect(old != new)
    let made = try await KilledWork.atEachCall(
      of: { try Stage(output) },
      { stage, kill in
        try stage.make(calls(kill))
      },
      then: { stage, moment in
        if isReplacedInOneStep || FileManager.default.fileExists(atPath: stage.output) {
          let id = try stage.id()
          #expect(id == old || id == new, "\(moment)")
        }
        // One that cannot be made must not cost the one that is there.
        let files = stage.cache + "-away"
        try FileManager.default.moveItem(atPath: stage.cache, toPath: files)
        #expect(throws: (any Error).self, "\(moment)") { try stage.make() }
        try FileManager.default.moveItem(atPath: files, toPath: stage.cache)
        try stage.make()
        #expect(try stage.id() == new, "\(moment)")
        #expect(try stage.beside() == [URL(fileURLWithPath: output).lastPathComponent], "\(moment)")
      })
    #expect(Set(made).isSuperset(of: [.synchronize, .rename, .write]))
  }

  @Test(arguments: ["b.zip", "b.bundle"])
  func aBundleIsTheOldOneOrTheNewOneWhereverItsMakerIsKilled(output: String) async throws {
    try await killEverywhere(output)
  }

  /// Two folders that cannot change places: the old one is out of the way for a moment, and comes back.
  @Test func whereFoldersCannotChangePlacesTheNextMakerBringsTheOldOneBack() async throws {
    try await killEverywhere("b.bundle", isReplacedInOneStep: false) { kill in
      FileCalls { call, path in
        let isExchange = call == .rename && FileManager.default.fileExists(atPath: path + "/index.json")
        let verdict = kill.verdict(call, path)
        return isExchange && verdict == .perform ? .fail(EINVAL) : verdict
      }
    }
  }
}
