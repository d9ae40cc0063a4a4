import Foundation
import TestSupport
import Testing

/// Catalogues as sources, through the whole command.
@Suite(.timeLimit(.minutes(10)))
struct FeedRunTests {

  private func plan(_ scene: Scene) throws -> BuiltCommand.Result {
    try scene.preheat(["plan", "--rows", "test.job"])
  }

  @Test func aCatalogueOnAServerIsFetchedByRunsAlone() throws {
    let shop = try TemporaryFolder()
    let server = try FaultServer(files: shop.url)
    let picture = try Data(contentsOf: URL(fileURLWithPath: Scene.logo))
    try picture.write(to: shop.file("1.png"))
    try shop.write("sku,image\nA1,\(server.url("/file/1.png"))\n", to: "feed.csv")
    let scene = try Scene("include \(server.url("/file/feed.csv")) url=image id=sku card")
    try plan(scene).expect(2, "there is no copy of")
    #expect(try server.stats().requests.isEmpty)

    #expect(try scene.run().status == 0)
    #expect(try scene.names().count == 1)
    try plan(scene).expect(0, prints: "key A1")
    #expect(try server.count("/file/feed.csv") == 1)
    // It has not changed, and then it has.
    #expect(try scene.run().status == 0)
    try shop.write(
      "sku,image\nA1,\(server.url("/file/1.png"))\nA2,\(server.url("/file/1.png"))\n", to: "feed.csv")
    #expect(try scene.run().status == 0)
    #expect(try scene.names().count == 2)
    #expect(try server.count("/file/feed.csv") == 3)
    #expect(try scene.run(["--offline"]).status == 0)
    #expect(try server.count("/file/feed.csv") == 3)
    try shop.remove("feed.csv")
    try scene.run().expect(2, "cannot be fetched")
  }

  /// Within the limits of any download, whatever comes.
  @Test(arguments: ["/flood/hints", "/flood/trailer", "/flood/chunks", "/big-chunked?size=400000000"])
  func aCatalogueWithoutEndIsGivenUp(target: String) throws {
    let server = try FaultServer()
    let scene = try Scene("include \(server.url(target)) format=csv url=image card")
    try scene.run(["--max-bytes", "2M"], wrapper: Scene.measured).expect(2, "cannot be fetched")
    #expect(try scene.folder.peak() < 200 << 10)
  }

  @Test func theAddressGuardHoldsForCatalogues() throws {
    let server = try FaultServer(files: Scene.images)
    let head = Scene.head.replacing("allow-private 127.0.0.1\n", with: "")
    let scene = try Scene("include \(server.url("/file/feed.csv")) url=image card", head: head)
    try scene.run().expect(2, "private")
    #expect(try server.stats().requests.isEmpty)
  }

  @Test func rowsComeFromStandardInput() throws {
    let scene = try Scene("include - format=ndjson url=/pic/0 id=sku card")
    let rows = "{\"sku\": 1, \"pic\": [\"\(Scene.logo)\"]}\n{\"sku\": 2, \"pic\": [\"\(Scene.logo)\"]}\n"
    try scene.preheat(["run", "test.job"], input: rows).expect(0)
    #expect(try scene.names().count == 2)
  }

  @Test func wrongRowsAreFailuresWhereTheyAreSkipped() throws {
    let scene = try Scene("include feed.tsv url=image card")
    try scene.folder.write("image\tsku\n\(Scene.logo)\t1\nnone\t2\n", to: "feed.tsv")
    try scene.run().expect(2, "feed.tsv:3:1: error:")
    try scene.run(["--skip-invalid"]).expect(3)
    #expect(try scene.names().count == 1)
  }
}
