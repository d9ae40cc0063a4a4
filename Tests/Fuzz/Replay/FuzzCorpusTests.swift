import Foundation
import TestSupport
import Testing

/// Every input that is kept, through the functions that `make fuzz` tries, so that what was found once stays mended.
@Suite(.timeLimit(.minutes(10))) struct FuzzCorpusTests {
  private static let corpus = Fixtures.checkout.appendingPathComponent("Tests/Fuzz/Corpus")

  private static func files(_ target: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: corpus.appendingPathComponent(target), includingPropertiesForKeys: nil
    ).sorted { $0.path < $1.path }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func everyInputKeepsItsPromises(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let files = try Self.files(name)
    #expect(!files.isEmpty, "\(name) has no inputs to begin with")
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      #expect(throws: Never.self, "\(name)/\(file.lastPathComponent)") { try target.run(bytes) }
    }
  }

  @Test func theCorpusHasAFolderForEachTargetAndNoOther() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
  }

  @Test func theCorpusIsSmall() throws {
    let sizes = try FuzzTarget.all.flatMap { try Self.files($0.name) }
      .map { try Data(contentsOf: $0).count }
    #expect(sizes.reduce(0, +) < 1 << 20)
  }
}
