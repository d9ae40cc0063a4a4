import Foundation
import NukeCache
import TestSupport
import Testing

@testable import Concurrency
@testable import Fetching
@testable import ImagePipeline

/// Nuke's "Resumable Downloads", and RFC 9110, sections 13 and 14.
@Suite(.timeLimit(.minutes(10)))
struct ResumableDownloadTests {
  /// How the server behaves at the second request.
  enum Second: Sendable, CaseIterable {
    case rest, restCutAgain, whole, changed, wrongStart, wrongTotal, notSatisfiable, noContentRange
  }

  private func server(
    _ second: Second, validator: (name: String, value: String), cut: Int = 700
  ) throws -> (handler: OriginServer.Handler, picture: [UInt8], other: [UInt8]) {
    let picture = try PipelineKit.picture("mountains.jpg")
    let other = try PipelineKit.picture("grey.jpg")
    let box = Box(count: 0)
    let fields = ["Accept-Ranges": "bytes", validator.name: validator.value]
    return (
      { request in
        let number = box.next()
        if number == 1 { return OriginServer.Answer(headers: fields, body: picture, cut: cut) }
        let start = request.headers["range"].flatMap { Int($0.dropFirst(6).dropLast()) }
        guard let start, number == 2 || second == .restCutAgain else {
          return OriginServer.Answer(headers: fields, body: second == .changed ? other : picture)
        }
        var part = OriginServer.Answer(status: 206, headers: fields, body: Array(picture[start...]))
        part.headers["Content-Range"] = "bytes \(start)-\(picture.count - 1)/\(picture.count)"
        switch second {
        case .rest: break
        case .restCutAgain: if number == 2 { part.cut = 100 }
        case .whole: return OriginServer.Answer(headers: fields, body: picture)
        case .changed: return OriginServer.Answer(headers: fields, body: other)
        case .wrongStart:
          part.headers["Content-Range"] = "bytes 0-\(picture.count - start - 1)/\(picture.count)"
        case .wrongTotal:
          part.headers["Content-Range"] = "bytes \(start)-\(picture.count - 1)/\(picture.count + 5)"
        case .notSatisfiable: return OriginServer.Answer(status: 416, headers: fields)
        case .noContentRange: part.headers["Content-Range"] = nil
        }
        return part
      }, picture, other
    )
  }

  private final class Box: Sendable {
    private let count: Locked<Int>
    init(count: Int) { self.count = Locked(count) }
    func next() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }

  @Test(arguments: [("ETag", "\"1\""), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])
  func theNextLoadGoesOnWhereThePreviousOneBroke(name: String, value: String) async throws {
    let origin = try server(.rest, validator: (name, value))
    let kit = try PipelineKit(handler: origin.handler)
    let url = kit.server.url("/a.jpg")
    await #expect(throws: ImagePipeline.Error.self) { try await kit.pipeline.image(for: url) }
    let task = kit.pipeline.imageTask(with: url)
    #expect(try await task.image.isDecoded)
    let total = Int64(origin.picture.count)
    #expect(task.currentProgress == ImageTask.Progress(completed: total, total: total))
    #expect(kit.server.requests.map { $0.headers["range"] } == [nil, "bytes=700-"])
    #expect(kit.server.requests.map { $0.headers["if-range"] } == [nil, value])
    #expect(kit.dataCache.cachedData(for: url.absoluteString) == Data(origin.picture))
  }

  @Test(arguments: Second.allCases)
  func aStitchedBodyIsTheOriginsOrItIsFetchedAgain(second: Second) async throws {
    let origin = try server(second, validator: ("ETag", "\"1\""))
    let kit = try PipelineKit(handler: origin.handler)
    let url = kit.server.url("/a.jpg")
    for _ in 0..<(second == .restCutAgain ? 2 : 1) {
      await #expect(throws: ImagePipeline.Error.self) { try await kit.pipeline.data(for: url) }
    }
    let data = try await kit.pipeline.data(for: url).data
    let isRight = data == Data(second == .changed ? origin.other : origin.picture)
    #expect(isRight)
    if second == .restCutAgain {
      #expect(kit.server.requests.map { $0.headers["range"] } == [nil, "bytes=700-", "bytes=800-"])
    }
  }

  @Test func aCancelledDownloadIsGoneOnWithToo() async throws {
    let picture = try PipelineKit.picture("mountains.jpg")
    let gate = Gate()
    let kit = try PipelineKit { _ in
    } handler: { request in
      var fields = ["Accept-Ranges": "bytes", "ETag": "\"1\""]
      guard let range = request.headers["range"], let start = Int(range.dropFirst(6).dropLast()) else {
        fields["Content-Length"] = String(picture.count)
        return OriginServer.Answer(headers: fields, body: Array(picture.prefix(900)), hold: gate)
      }
      fields["Content-Range"] = "bytes \(start)-\(picture.count - 1)/\(picture.count)"
      return OriginServer.Answer(status: 206, headers: fields, body: Array(picture[start...]))
    }
    let url = kit.server.url("/a.jpg")
    let task = kit.pipeline.imageTask(with: url)
    #expect(await eventually { task.currentProgress.completed == 900 })
    task.cancel()
    _ = try? await task.response
    #expect(await eventually { kit.pipeline.sources.waiting == 0 && kit.pipeline.loadingQueue.running == 0 })
    gate.open()
    let isRight = try await kit.pipeline.data(for: url).data == Data(picture)
    #expect(isRight)
    #expect(kit.server.requests.last?.headers["range"] == "bytes=900-")
  }

  @Test func switchedOffEveryLoadBeginsAtTheBeginning() async throws {
    let origin = try server(.rest, validator: ("ETag", "\"1\""))
    let kit = try PipelineKit({ $0.isResumableDataEnabled = false }, handler: origin.handler)
    let url = kit.server.url("/a.jpg")
    await #expect(throws: ImagePipeline.Error.self) { try await kit.pipeline.data(for: url) }
    _ = try await kit.pipeline.data(for: url)
    #expect(kit.server.requests.map { $0.headers["range"] } == [nil, nil])
  }

  @Test func thePartsHeldAreBoundedInNumberAndBytes() {
    let store = ResumableDataStore(costLimit: 100, countLimit: 3)
    func key(_ id: String) -> ResumableDataStore.Key {
      ResumableDataStore.Key(pipeline: ObjectIdentifier(store), imageID: id)
    }
    func part(_ size: Int) -> HTTPPartialBody {
      HTTPPartialBody(status: 200, bytes: [UInt8](repeating: 0, count: size), validator: "x")
    }
    for id in ["a", "b", "c", "d"] { store.put(part(10), for: key(id)) }
    #expect(store.take(key("a")) == nil)
    #expect(store.take(key("b")) != nil)
    #expect(store.take(key("b")) == nil)
    store.put(part(95), for: key("e"))
    #expect(store.take(key("c")) == nil)
    #expect(store.take(key("e")) != nil)
  }
}
