import Foundation
import TestSupport
import Testing
import Text

@testable import Fetching

/// RFC 9110, sections 13.1.5, 14 and 15.3.7: a body is the origin's, or it is fetched again.
@Suite("Downloads that go on", .timeLimit(.minutes(10)))
struct PartialDownloadsTests {
  private let server: FaultServer
  /// It fails at the first cut, as a run that ends.
  private let loader = HTTPLoader.test { $0.maxRetryTime = .zero }
  private let folder: TemporaryFolder

  init() throws {
    server = try FaultServer()
    folder = try TemporaryFolder()
  }

  private func downloads() throws -> PartialDownloads { try PartialDownloads(folder: folder.url) }

  private func load(
    _ target: String, through other: HTTPLoader? = nil, by downloads: PartialDownloads? = nil
  ) async throws -> HTTPResponse {
    try await (downloads ?? self.downloads()).load(
      HTTPRequest(url: server.url(target)), through: other ?? loader)
  }

  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
  }

  static let old = plainBody(300_000)
  static let new = old.map { 255 - $0 }

  /// By which validator, what the server does at the second request, and whether it is asked for a part. A total that is not
  /// known is the one of before; a weak tag beside a strong date is passed over.
  static let matrix: [(by: String, then: String, asks: Bool)] = {
    var rows = [
      ("tag", "star", true), ("weak-date", "rest", true), ("none", "rest", false), ("young", "rest", false),
    ]
    for by in ["tag", "date", "both", "weak"] {
      for then in ["rest", "whole", "changed", "changed-part", "changed-silent", "shifted", "total", "416"] {
        rows.append((by, then, by != "weak"))
      }
    }
    return rows
  }()

  @Test(arguments: matrix)
  func aStitchedBodyIsTheOriginsOrItIsFetchedAgain(by: String, then: String, asks: Bool) async throws {
    let target = "/resume?by=\(by)&then=\(then)"
    await #expect(throws: HTTPFailure.self) { try await load(target) }
    #expect(files.count == (asks ? 1 : 0))
    let response = try await load(target)
    let isRight = response.body == (then.hasPrefix("changed") ? Self.new : Self.old)
    #expect(isRight)
    #expect(response.status == 200)
    let ranges = try #require(try server.stats().ranges[target])
    #expect(ranges[1] == (asks ? "bytes=200000-" : ""))
    #expect(ranges.dropFirst(2).allSatisfy { $0 == "" })
    // Only where the rest was the rest of the same, or the whole came at once, is that all.
    #expect(ranges.count == (asks && !["rest", "whole", "changed", "star"].contains(then) ? 3 : 2))
    #expect(files.isEmpty)
  }

  /// Lies about the part itself: each is noticed, and the whole is fetched.
  @Test(arguments: [
    "overlap", "unit", "endless", "multipart", "coded", "redirect", "short", "long", "weak", "no-range",
  ])
  func aLieAboutThePartIsNoticed(then: String) async throws {
    let target = "/resume?by=tag&then=\(then)"
    await #expect(throws: HTTPFailure.self) { try await load(target) }
    let response = try await load(target)
    let isRight = response.body == Self.old
    #expect(isRight && response.status == 200)
    #expect(try server.stats().ranges[target]?.last == "")
    #expect(files.isEmpty)
  }

  @Test func shortBeginningsAreNotKept() async throws {
    await #expect(throws: HTTPFailure.self) { try await load("/resume?by=tag&cut=60000") }
    #expect(files.isEmpty)
  }

  @Test func whatBreaksOnTheWayIsGoneOnWithInTheSameLoad() async throws {
    for (target, tries) in [("/resume?by=tag", 2), ("/resume?by=date&cut=70000&always", 5)] {
      let resuming = HTTPLoader(configuration: .test)
      let isRight = try await load(target, through: resuming).body == Self.old
      #expect(isRight)
      #expect(try server.stats().sent[target] == 300_000)
      #expect(try server.stats().requests[target] == tries)
    }
    #expect(files.isEmpty)
  }

  /// Tries that bring nothing new cost retries, and so do all others beyond the time of one exchange. A beginning that
  /// was not the first answer of its connection is asked for again.
  @Test(arguments: [("whole", false, 5), ("416", false, 7), ("rest", true, 2)])
  func retriesBoundTriesThatBringNothing(then: String, isLate: Bool, requests: Int) async throws {
    let target = "/resume?by=tag&cut=70000&always&then=\(then)"
    let configuration = HTTPConfiguration.test.with {
      $0.retries = 1
      if isLate { $0.maxRetryTime = .zero }
    }
    await #expect(throws: HTTPFailure.self) {
      try await load(target, through: HTTPLoader(configuration: configuration))
    }
    #expect(try server.stats().requests[target] == requests)
    #expect(files.count == 1)
  }

  @Test func beginningsOfAnotherStartOfTheMachineAreDropped() async throws {
    await #expect(throws: HTTPFailure.self) { try await load("/resume?by=tag") }
    let head = folder.file(try #require(files.first))
    var data = try Data(contentsOf: head)
    data[try #require(data.firstRange(of: Data(SystemFile.boot.utf8))).lowerBound] ^= 1
    try data.write(to: head)
    _ = try await load("/resume?by=tag")
    #expect(try server.stats().ranges["/resume?by=tag"] == ["", ""])
  }

  @Test(arguments: [0, 1, 20, 60]) func aDamagedHeadIsNoHead(length: Int) async throws {
    await #expect(throws: HTTPFailure.self) { try await load("/resume?by=tag") }
    let head = folder.file(try #require(files.first))
    try Data(contentsOf: head).prefix(length).write(to: head)
    #expect(try await load("/resume?by=tag").body.count == 300_000)
    #expect(files.isEmpty)
  }

  /// It may be good another time.
  @Test(arguments: [EIO, EMFILE, EACCES]) func aBeginningThatCannotBeReadStays(code: Int32) async throws {
    let target = "/resume?by=tag"
    await #expect(throws: HTTPFailure.self) { try await load(target) }
    let opening = FileFaults(atLooks: true)
    _ = try PartialDownloads(folder: folder.url, calls: opening.calls)
    let faults = FileFaults(failing: opening.log.count, with: code, .lasting, atLooks: true)
    let blind = try PartialDownloads(folder: folder.url, calls: faults.calls)
    #expect(try await load(target, by: blind).body.count == 300_000)
    #expect(faults.failed != nil && files.count == 1)
    #expect(try await load(target).body.count == 300_000)
    #expect(try server.stats().ranges[target] == ["", "", "bytes=200000-"])
  }

  @Test func whatIsNoPictureIsNotKept() async throws {
    let picky = try PartialDownloads(folder: folder.url) { _ in false }
    await #expect(throws: HTTPFailure.self) { try await load("/resume?by=tag", by: picky) }
    #expect(files.isEmpty)
  }

  @Test func theFolderIsSweptWhenItIsOpened() async throws {
    for name in ["old.part", "young.part"] { try Data(count: 10_000).write(to: folder.file(name)) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -30 * 86_400)],
      ofItemAtPath: folder.file("old.part").path)
    _ = try downloads()
    #expect(files == ["young.part"])
    _ = try PartialDownloads(folder: folder.url, diskCapacity: 100)
    #expect(files.isEmpty)
  }

  @Test func aConditionAndABeginningGoTogether() async throws {
    let pictures = try TemporaryFolder()
    try Data(repeating: 7, count: 400_000).write(to: pictures.file("a"))
    let server = try FaultServer(files: pictures.url)
    let request = HTTPRequest(
      url: server.url("/versioned/a?tag=x"), headers: [HTTPHeader(name: "If-None-Match", value: "\"x\"")])
    let response = try await downloads().load(request, through: loader)
    #expect(response.status == 304)
  }
}
