import Foundation
import TestSupport
import Testing

/// A run that is killed in the middle of a large download repeats one chunk of it at most.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ResumeTests {
  private static let size = 50 << 20
  private static let held = 30 << 20
  private static let chunk = 1 << 20

  /// A picture with a long tail: what comes behind its end does not matter, but makes it large.
  private func pictures() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var data = try Data(contentsOf: Scene.images.appendingPathComponent("mountains.jpg"))
    data.append(Data(count: Self.size - data.count))
    try data.write(to: folder.file("large.jpg"))
    return folder
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func aKilledDownloadGoesOnWhereItEnded(signal: Int32) throws {
    let pictures = try pictures()
    let server = try FaultServer(files: pictures.url)
    let target = "/versioned/large.jpg?hold=\(Self.held)"
    let scene = try Scene("\(server.url(target)) card", head: Scene.head + "http-cache off\n")
    let running = try scene.start()
    let folder = scene.folder.file("cache.preheat/partial").path
    let isSpilled = eventually {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.contains { name in
        let path = folder + "/" + name
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
        return size > Self.held - Self.chunk
      }
    }
    #expect(isSpilled)
    kill(running.process.processIdentifier, signal)
    _ = try running.wait()

    try scene.run().expect(0)
    let stats = try server.stats()
    let ranges = try #require(stats.ranges[target])
    #expect(ranges.count == 2 && ranges[1].hasPrefix("bytes="))
    #expect(try #require(stats.sent[target]) <= Self.size + Self.chunk)
    #expect(try scene.entries().count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }
}
