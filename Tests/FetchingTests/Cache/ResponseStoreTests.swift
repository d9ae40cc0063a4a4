import Foundation
import TestSupport
import Testing

@testable import Fetching
@testable import SQLiteStore

@Suite(.timeLimit(.minutes(10)))
struct ResponseStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(capacity: Int = 1 << 20) throws -> ResponseStore {
    try ResponseStore(folder: folder.url, capacity: capacity)
  }

  private func stored(_ body: [UInt8]) -> StoredResponse {
    StoredResponse(
      HTTPResponse(body: body, fields: [HTTPHeader(name: "ETag", value: "\"a:b\"")]),
      to: HTTPRequest(url: "http://h/"), requestTime: 1, responseTime: 2)
  }

  private func write(_ names: [String], size: Int = 2000, to store: ResponseStore) {
    for name in names {
      let body = [UInt8](repeating: 1, count: size)
      store.write(stored(body), body: body, as: name)
    }
  }

  private var bodyFiles: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.file("bodies").path).sorted()) ?? []
  }

  @Test func whatIsWrittenIsRead() throws {
    let store = try store()
    let body = [UInt8]("{\n}\n".utf8) + [0, 255]
    store.write(stored(body), body: body, as: "a")
    let found = try #require(store.read("a"))
    #expect(found.response == stored(body))
    #expect(found.body == body)
    #expect(store.read("b") == nil)
    // What waits is there for this process; others see it with its group.
    store.commit()
    #expect(try self.store().read("a")?.body == body)
    store.removeAll()
    #expect(store.read("a") == nil)
    #expect(bodyFiles.isEmpty)
  }

  @Test func whatIsNewOfAResponseLeavesItsBodyAlone() throws {
    let store = try store()
    let body = [UInt8](repeating: 7, count: 40)
    store.write(stored(body), body: body, as: "a")
    store.commit()
    let known = try #require(store.head("a"))
    var new = known
    (new.requestTime, new.responseTime) = (8, 9)
    store.write(new, as: "a", renewing: known)
    #expect(store.version("a")?.responseTime == 9)
    #expect(try self.store().head("a") == known)
    #expect(store.read("a")?.body == body)
    store.commit()
    let found = try #require(try self.store().read("a"))
    #expect(found.response == new)
    #expect(found.body == body)
  }

  /// Answers that came between the question and what was said to it.
  @Test(arguments: [false, true]) func whatIsNewOfAResponseIsNotSaidOfAnother(isOfAnotherProcess: Bool) throws
  {
    let store = try store()
    let (body, other) = ([UInt8](repeating: 7, count: 40), [UInt8](repeating: 8, count: 50))
    store.write(stored(body), body: body, as: "a")
    store.commit()
    let known = try #require(store.head("a"))
    store.commit()
    let writer = isOfAnotherProcess ? try self.store() : store
    writer.write(stored(other), body: other, as: "a")
    if isOfAnotherProcess { writer.commit() }
    store.write(known, as: "a", renewing: known)
    store.commit()
    #expect(store.read("a")?.body == other)
    #expect(try self.store().read("a")?.response == stored(other))
  }

  @Test func aBodyThatIsDamagedAnywhereIsForgottenAndItsValidatorsStay() throws {
    let store = try store()
    let body = [UInt8](repeating: 7, count: 40)
    for index in stride(from: 0, to: body.count, by: 3) {
      store.write(stored(body), body: body, as: "a")
      let file = folder.file("bodies/" + (try #require(bodyFiles.first)))
      if index % 2 == 0 {
        var damaged = Data(body)
        damaged[index] ^= 0x55
        try damaged.write(to: file)
      } else {
        try Data(body).prefix(index).write(to: file)
      }
      #expect(store.read("a") == nil)
      #expect(bodyFiles.isEmpty)
      #expect(store.head("a") == stored(body))
    }
  }

  @Test func theLeastRecentlyReadBodiesGoFirst() throws {
    let store = try store(capacity: 10 * 4096)
    let names = (0..<10).map { "file-\($0)" }
    write(names, to: store)
    #expect(store.read("file-0") != nil)
    write(["new"], to: store)
    #expect(store.usage <= 9 * 4096)
    #expect(store.read("file-0") != nil)
    #expect(store.read("new") != nil)
    #expect(store.read("file-1") == nil)
    #expect(store.head("file-1") != nil)
    store.capacity = 4096
    #expect(store.usage <= 4096)
    #expect(bodyFiles.count <= 1)
  }

  @Test func useIsRememberedByTheNextProcess() throws {
    do {
      let store = try store(capacity: 10 * 4096)
      write(["a", "b", "c"], to: store)
      #expect(store.read("a") != nil)
    }
    let store = try store(capacity: 2 * 4096 + 4000)
    #expect(store.read("a") != nil)
    #expect(store.read("b") == nil)
  }

  @Test func aBodyBeyondTheCapacityLeavesItsHeadOnly() throws {
    let store = try store(capacity: 1000)
    write(["a"], to: store)
    #expect(store.read("a") == nil)
    #expect(store.head("a") != nil)
    #expect(store.usage == 0)
  }

  @Test func aReplacedBodyLeavesNoFile() throws {
    let store = try store()
    for byte in UInt8(0)..<5 { store.write(stored([byte]), body: [byte], as: "a") }
    #expect(store.read("a")?.body == [4])
    #expect(bodyFiles.count == 1)
  }

  /// Memory that is mapped ends the process when its file is cut. A log of one that was killed is taken over.
  @Test func storesThatShareAnIndexTakeTurnsAndMapNothing() throws {
    do { write(["a"], to: try ResponseStore(folder: folder.url, capacity: 1 << 20, isShared: false)) }
    let stores = [try store(), try store()]
    for (number, store) in stores.enumerated() {
      write(["of \(number)"], to: store)
      store.commit()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      #expect(!names.contains { $0.hasSuffix("-shm") || $0.hasSuffix("-wal") })
    }
    for store in stores { #expect(["a", "of 0", "of 1"].allSatisfy { store.read($0) != nil }) }
  }

  /// A task may still hold the store when the process ends, which would leave SQLite's log.
  @Test func aClosedStoreLeavesNoLog() throws {
    let store = try store()
    write(["a"], to: store)
    store.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.sorted() == ["bodies", "index.sqlite"])
    #expect(store.read("a") == nil)
    #expect(try self.store().read("a") != nil)
  }

  /// Whatever a disk or another program has put into the numbers of a row.
  @Test(arguments: [Int64.max, .min, -1])
  func numbersThatMakeNoSenseStopNobody(number: Int64) throws {
    do { write(["a", "b", "c"], to: try store()) }
    do {
      let index = try SQLiteDatabase(path: folder.file("index.sqlite").path)
      let replacement = try index.prepare(ResponseIndex.table.replacement)
      for name in ["a", "b", "c"] {
        let numbers = Array(repeating: SQLiteDatabase.Value.integer(number), count: 4)
        let values: [SQLiteDatabase.Value] =
          [.text(name), .text(""), .text("")] + numbers + [.text("d"), .text(name)]
        try replacement.run(ResponseIndex.table.values(values + numbers.prefix(2)))
      }
    }
    let store = try store(capacity: 3 * 4096)
    let head = try #require(store.head("a"))
    #expect(head.age(at: 100) >= 0)
    _ = (head.isFresh(at: .max), head.freshUntil, head.isFresh(at: 0), store.version("a"))
    #expect(store.read("a") == nil && store.usage >= 0)
    write(["d", "e"], to: store)
    #expect(store.read("e") != nil)
    store.capacity = 100
    #expect(store.usage >= 0)
  }

  @Test func filesThatNoRowNamesGoOnceTheyAreOld() throws {
    do { write(["a"], to: try store()) }
    for name in ["young", "old"] { try Data([1]).write(to: folder.file("bodies/" + name)) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -7200)],
      ofItemAtPath: folder.file("bodies/old").path)
    _ = try store()
    #expect(bodyFiles.contains("young"))
    #expect(!bodyFiles.contains("old"))
    #expect(bodyFiles.count == 2)
  }

  @Test func severalMayShareAFolder() async throws {
    let stores = try (0..<4).map { _ in try store(capacity: 20 * 4096) }
    await withTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          for round in 0..<50 {
            let body = [UInt8](repeating: UInt8(round), count: 1000 + round)
            store.write(stored(body), body: body, as: "\(round % 10)")
            if let found = store.read("\((round + number) % 10)") {
              #expect(found.response.bodySize == found.body.count)
              #expect(Set(found.body).count == 1)
            }
          }
        }
      }
    }
    #expect(stores[0].usage <= 20 * 4096)
  }
}
