import Foundation
import TestSupport
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(10)))
struct ResponseStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func stored(_ body: [UInt8]) -> StoredResponse {
    StoredResponse(
      HTTPResponse(body: body, etag: "\"1\""), to: HTTPRequest(url: "http://h/"), requestTime: 1,
      responseTime: 2)
  }

  @Test func whatIsWrittenIsRead() throws {
    let store = try ResponseStore(folder: folder.url, capacity: 1 << 20)
    let body = [UInt8]("{\n}\n".utf8) + [0, 255]
    store.write(stored(body), body: body, as: "a")
    let found = try #require(store.read("a"))
    #expect(found.response == stored(body))
    #expect(found.body == body)
    #expect(store.read("b") == nil)
    store.removeAll()
    #expect(store.read("a") == nil)
  }

  @Test func aFileThatIsDamagedAnywhereIsRemoved() throws {
    let store = try ResponseStore(folder: folder.url, capacity: 1 << 20)
    let body = [UInt8](repeating: 7, count: 40)
    store.write(stored(body), body: body, as: "a")
    let whole = try Data(contentsOf: folder.file("a"))
    for index in stride(from: 0, to: whole.count, by: 3) {
      var damaged = whole
      damaged[index] ^= 0x55
      try damaged.write(to: folder.file("a"))
      if let found = store.read("a") { #expect(found.body == body) }
      try whole.prefix(index).write(to: folder.file("a"))
      #expect(store.read("a") == nil)
      #expect(!FileManager.default.fileExists(atPath: folder.file("a").path))
    }
  }

  @Test func theLeastRecentlyReadGoFirst() throws {
    let store = try ResponseStore(folder: folder.url, capacity: 10 * 4096)
    let body = [UInt8](repeating: 1, count: 2000)
    for index in 0..<10 {
      store.write(stored(body), body: body, as: "file-\(index)")
      let date = Date(timeIntervalSinceNow: Double(index) * 10 - 1000)
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: folder.file("file-\(index)").path)
      setAccessDate(date, of: folder.file("file-\(index)").path)
    }
    #expect(store.read("file-0") != nil)
    store.write(stored(body), body: body, as: "new")
    #expect(store.usage <= 10 * 4096)
    #expect(store.read("file-0") != nil)
    #expect(store.read("new") != nil)
    #expect(store.read("file-1") == nil)
    store.capacity = 4096
    #expect(store.usage <= 4096)
  }

  private func setAccessDate(_ date: Date, of path: String) {
    let time = timespec(tv_sec: Int(date.timeIntervalSince1970), tv_nsec: 0)
    utimensat(AT_FDCWD, path, [time, time], 0)
  }
}
