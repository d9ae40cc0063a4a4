import Foundation
import TestSupport
import Testing

/// Bombs and odd files that broke other programs, from the corpus where there is one.
@Suite(.ownThreads, .enabled(if: Fixtures.corpus != nil), .timeLimit(.minutes(10)))
struct CorpusTests {
  private static func files(_ folder: String) throws -> [URL] {
    let url = try #require(Fixtures.corpus).appendingPathComponent(folder)
    return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
  }

  /// Writes the peak of the resident memory of the command and of all its workers, in KB, to `peak`, and the seconds of
  /// processor time that they took to `spent`: a busy machine gives pictures more time by the clock.
  private static let measured = [
    "python3", "-c",
    """
    import resource, subprocess, sys
    status = subprocess.call(sys.argv[1:])
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    open("peak", "w").write(str(usage.ru_maxrss))
    open("spent", "w").write(str(usage.ru_utime + usage.ru_stime))
    sys.exit(status)
    """,
  ]

  /// Failures by source, after all that holds for any run was checked.
  private func run(
    _ scene: Scene, sources: Int, _ arguments: [String] = []
  ) throws -> (made: Set<String>, failed: [String: String]) {
    let result = try scene.run(["--json"] + arguments, wrapper: Self.measured)
    #expect(result.status == 3 || result.status == 4, "\(result.messages)")
    let peak = try scene.folder.text("peak")
    #expect(try #require(Int(peak)) < 512 << 10)
    let spent = try scene.folder.text("spent")
    #expect(try #require(Double(spent)) < 30)

    var (made, failed) = (Set<String>(), [String: String]())
    var expected = Set<String>()
    for object in try result.objects() where object["type"] as? String == "rendition" {
      let source = try #require(object["source"] as? String)
      let stores = try #require(object["stores"] as? [[String: Any]]).compactMap { $0["file"] as? String }
      if object["status"] as? String == "made" {
        made.insert(source)
        expected.formUnion(stores)
      } else {
        let error = try #require(object["error"] as? [String: Any])
        failed[source] = try #require(error["code"] as? String)
        #expect(!(error["message"] as? String ?? "").isEmpty)
      }
    }
    #expect(made.union(failed.keys).count == sources)
    #expect(Set(try scene.entries().keys) == expected)
    #expect(scene.leftovers().isEmpty)
    return (made, failed)
  }

  @Test func everyBombIsRefusedByName() throws {
    let files = try Self.files("bombs")
    let scene = try Scene(files.map { "\"\($0.path)\" card" }.joined(separator: "\n"))
    let (made, failed) = try run(scene, sources: files.count)
    #expect(made.isEmpty)
    #expect(Set(failed.values) == ["image.limit", "image.format"])
  }

  @Test func oddFilesOverHTTPFailByNameOrAreWhole() throws {
    let files = try Self.files("odd")
    let server = try FaultServer(files: files[0].deletingLastPathComponent())
    let lines = files.map { "\(server.url("/file/\($0.lastPathComponent)")) card original" }
    let scene = try Scene(lines.joined(separator: "\n"))
    let (made, failed) = try run(scene, sources: files.count, ["--policy", "storeAll"])
    #expect(made.count > 5 && failed.count > 25)
    let codes: Set = ["image.format", "image.damaged", "image.truncated", "image.limit"]
    #expect(codes.isSuperset(of: failed.values), "\(failed)")
    for (source, code) in failed where source.contains("truncated_") {
      #expect(code == "image.truncated")
    }
  }

  /// Also where somebody lets everything in, a worker's memory has its end.
  @Test func withoutLimitsMemoryStillHasOne() throws {
    let files = try Self.files("bombs") + Self.files("odd")
    let scene = try Scene(files.map { "\"\($0.path)\" card" }.joined(separator: "\n"))
    let formats = ["tiff", "heif", "avif"].flatMap { ["--allow-format", $0] }
    _ = try run(scene, sources: files.count, ["--max-pixels", "10000000000"] + formats)
  }
}
