import Foundation
import TestSupport
import Testing

/// Catalogues as sources, through the whole command.
@Suite(.timeLimit(.minutes(10)))
struct FeedRunTests {
  private static let logo = Scene.images.appendingPathComponent("logo.png").path

  private func plan(_ scene: Scene) throws -> BuiltCommand.Result {
    try BuiltCommand.run(["plan", "--rows", "test.job"], in: scene.folder.url)
  }

  @Test func aCatalogueOnAServerIsFetchedByRunsAlone() throws {
    let shop = try TemporaryFolder()
    let server = try FaultServer(files: shop.url)
    let picture = try Data(contentsOf: URL(fileURLWithPath: Self.logo))
    try picture.write(to: shop.file("1.png"))
    try Data("sku,image\nA1,\(server.url("/file/1.png"))\n".utf8).write(to: shop.file("feed.csv"))
    let scene = try Scene("include \(server.url("/file/feed.csv")) url=image id=sku card")
    let early = try plan(scene)
    #expect(early.status == 2 && early.messages.contains("there is no copy of"), "\(early.messages)")
    #expect(try server.stats().requests.isEmpty)

    #expect(try scene.run().status == 0)
    #expect(try scene.names().count == 1)
    let planned = try plan(scene)
    #expect(planned.status == 0 && planned.output.contains("key A1"), "\(planned.output)")
    #expect(try server.count("/file/feed.csv") == 1)
    // It has not changed, and then it has.
    #expect(try scene.run().status == 0)
    try Data("sku,image\nA1,\(server.url("/file/1.png"))\nA2,\(server.url("/file/1.png"))\n".utf8)
      .write(to: shop.file("feed.csv"))
    #expect(try scene.run().status == 0)
    #expect(try scene.names().count == 2)
    #expect(try server.count("/file/feed.csv") == 3)
    #expect(try scene.run(["--offline"]).status == 0)
    #expect(try server.count("/file/feed.csv") == 3)
    try FileManager.default.removeItem(at: shop.file("feed.csv"))
    let gone = try scene.run()
    #expect(gone.status == 2 && gone.messages.contains("cannot be fetched"), "\(gone.messages)")
  }

  /// Within the limits of any download, whatever comes.
  @Test(arguments: ["/flood/hints", "/flood/trailer", "/flood/chunks", "/big-chunked?size=400000000"])
  func aCatalogueWithoutEndIsGivenUp(target: String) throws {
    let server = try FaultServer()
    let scene = try Scene("include \(server.url(target)) format=csv url=image card")
    let result = try scene.run(["--max-bytes", "2M"], wrapper: Scene.measured)
    #expect(result.status == 2 && result.messages.contains("cannot be fetched"), "\(result.messages)")
    let peak = try #require(Int(String(contentsOf: scene.folder.file("peak"), encoding: .utf8)))
    #expect(peak < 200 << 10, "\(peak) KB")
  }

  @Test func theAddressGuardHoldsForCatalogues() throws {
    let server = try FaultServer(files: Scene.images)
    let head = Scene.head.replacing("allow-private 127.0.0.1\n", with: "")
    let scene = try Scene("include \(server.url("/file/feed.csv")) url=image card", head: head)
    let result = try scene.run()
    #expect(result.status == 2 && result.messages.contains("private"), "\(result.messages)")
    #expect(try server.stats().requests.isEmpty)
  }

  @Test func rowsComeFromStandardInput() throws {
    let scene = try Scene("include - format=ndjson url=/pic/0 id=sku card")
    let rows = "{\"sku\": 1, \"pic\": [\"\(Self.logo)\"]}\n{\"sku\": 2, \"pic\": [\"\(Self.logo)\"]}\n"
    let result = try BuiltCommand.run(["run", "test.job"], in: scene.folder.url, input: rows)
    #expect(result.status == 0, "\(result.messages)")
    #expect(try scene.names().count == 2)
  }

  @Test func wrongRowsAreFailuresWhereTheyAreSkipped() throws {
    let scene = try Scene("include feed.tsv url=image card")
    try Data("image\tsku\n\(Self.logo)\t1\nnone\t2\n".utf8).write(to: scene.folder.file("feed.tsv"))
    let strict = try scene.run()
    #expect(strict.status == 2 && strict.messages.contains("feed.tsv:3:1: error:"), "\(strict.messages)")
    let result = try scene.run(["--skip-invalid"])
    #expect(result.status == 3)
    #expect(try scene.names().count == 1)
  }
}
