import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(FaultCount.minutes)))
struct ReaderTests {
  /// One entry that two jobs fill with different pictures, again and again, while an app reads it.
  @Test func aReaderSeesOnlyWholeFilesOldOrNew() async throws {
    let scene = try Scene("")
    let cache = scene.folder.file("cache").path
    for (job, image) in [("a.job", "mountains.jpg"), ("b.job", "progressive.jpg")] {
      let path = Scene.images.appendingPathComponent(image).path
      try scene.write("\(path) resize(width: 300) id=one reload", to: job)
    }
    let folder = scene.folder.url
    let run = { @Sendable (job: String) throws -> Data in
      let result = try BuiltCommand.run(["run", job], in: folder)
      try #require(result.status == 0, "\(result.messages)")
      let names = try FileManager.default.contentsOfDirectory(atPath: cache).filter { !$0.hasPrefix(".") }
      return try Data(contentsOf: URL(fileURLWithPath: cache + "/" + names[0]))
    }
    let (first, second) = try await OwnThread { (try run("a.job"), try run("b.job")) }.value
    #expect(first != second)
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: cache).first { !$0.hasPrefix(".") })

    let least = FaultCount.of(100, full: 1_000_000)
    let over = scene.folder.file("over")
    let enough = scene.folder.file("enough")
    let writing = OwnThread {
      defer { try? Data().write(to: over) }
      for _ in 0..<6 { for job in ["a.job", "b.job"] { _ = try run(job) } }
      while !FileManager.default.fileExists(atPath: enough.path) {
        for job in ["a.job", "b.job"] { _ = try run(job) }
      }
    }
    let reading = OwnThread {
      var (opened, seen) = (0, Set<Data>())
      while !FileManager.default.fileExists(atPath: over.path) {
        let bytes = try #require(FileManager.default.contents(atPath: cache + "/" + name))
        try #require(bytes == first || bytes == second)
        seen.insert(bytes)
        opened += 1
        if opened == least { try Data().write(to: enough) }
      }
      #expect(seen.count == 2 && opened >= least)
    }
    try await writing.value
    try await reading.value
  }
}
