import Foundation
import TestSupport
import Testing

/// What a second run costs, and what it notices.
@Suite(.timeLimit(.minutes(10)))
struct SourceCacheTests {
  /// Runs the job, of which these counts of the summary are known.
  private func rerun(
    _ scene: Scene, _ counts: [String: Int], _ arguments: String...,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let result = try scene.run(["--json"] + arguments)
    let found = try summary(result)
    for (name, count) in counts {
      #expect(found[name] == count, "\(name): \(result.output)", sourceLocation: place)
    }
  }

  private func summary(_ result: BuiltCommand.Result) throws -> [String: Int] {
    let last = try #require(try result.objects().last)
    return last.compactMapValues { $0 as? Int }
  }

  private func copy(_ name: String, to folder: TemporaryFolder, as target: String) throws {
    try Data(contentsOf: Scene.images.appendingPathComponent(name)).write(to: folder.file(target))
  }

  @Test func whatIsFreshIsNotAskedFor() throws {
    let server = try FaultServer(files: Scene.images)
    let target = "/versioned/logo.png?cache-control=max-age%3D3600"
    let scene = try Scene("\(server.url(target)) card original").warmed()
    try rerun(scene, ["current": 2])
    #expect(try server.count("/versioned/logo.png") == 1)
    // A new chain is drawn from what is there.
    try scene.write("\(server.url(target)) card original circle")
    try rerun(scene, ["made": 1, "current": 2, "sourcesCached": 1])
    #expect(try server.count("/versioned/logo.png") == 1)
  }

  /// An original is kept once, in the cache folder; the HTTP cache only knows what was said about it.
  @Test func whatIsStoredAsAnOriginalHasNoSecondFile() throws {
    let server = try FaultServer(files: Scene.images)
    let url = server.url("/versioned/logo.png?cache-control=no-cache")
    let scene = try Scene("\(url) original").warmed()
    let bodies = scene.folder.file("cache.preheat/http/bodies").path
    let kept = { try FileManager.default.contentsOfDirectory(atPath: bodies).filter { !$0.hasPrefix(".") } }
    #expect(try kept() == [])
    let sent = try server.stats().sent
    // The server says that it is unchanged: another chain is drawn from the original.
    try scene.write("\(url) original circle")
    try rerun(scene, ["made": 1, "current": 1, "sourcesCached": 1])
    #expect(try server.stats().sent == sent)
    // What is not as it was made is no source.
    let (file, bytes) = try #require(
      try scene.entries().first { $0.value.count == sent.values.first })
    try Data(bytes.reversed()).write(to: scene.folder.file("cache/\(file)"))
    try scene.write("\(url) original circle card")
    try rerun(scene, ["sourcesFetched": 1, "failed": 0])
    #expect(try scene.entries()[file] == bytes)
    // Nobody keeps it any more: then the HTTP cache does.
    try scene.write("\(url) card", head: Scene.head)
    #expect(try scene.run(["--reload"]).status == 0)
    #expect(try kept().count == 1)
  }

  @Test func whatIsStaleIsAskedAboutAndDrawnAnewIfItHasChanged() throws {
    let pictures = try TemporaryFolder()
    try copy("logo.png", to: pictures, as: "a")
    let server = try FaultServer(files: pictures.url)
    let scene = try Scene("\(server.url("/versioned/a?cache-control=no-cache")) card original").warmed()
    let size = try #require(try server.stats().sent.values.first)
    try rerun(scene, ["current": 2, "sourcesValidated": 1, "bytesFetched": 0])
    #expect(try server.stats().sent.values.first == size)
    try copy("mountains.jpg", to: pictures, as: "a")
    try rerun(scene, ["made": 2, "current": 0])
    let original = try Data(contentsOf: pictures.file("a"))
    #expect(try scene.entries().values.contains(original))
  }

  /// The ledger remembers what a source can be asked with, the HTTP cache may be gone.
  @Test func aLostHTTPCacheCostsNoBody() throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try Scene("\(server.url("/versioned/logo.png")) card").warmed()
    try scene.folder.remove("cache.preheat/http")
    let sent = try server.stats().sent
    try rerun(scene, ["sourcesValidated": 1])
    #expect(try server.stats().sent == sent)
  }

  @Test func theSameBytesUnderAnotherValidatorAreNotDrawnAgain() throws {
    let pictures = try TemporaryFolder()
    try copy("logo.png", to: pictures, as: "a")
    let server = try FaultServer(files: pictures.url)
    let scene = try Scene("\(server.url("/file/a")) card").warmed()
    // Another date, so another tag.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: pictures.file("a").path)
    try scene.folder.remove("cache.preheat/http")
    try rerun(scene, ["current": 1, "sourcesFetched": 1, "filesWritten": 0])
    // The ledger has learnt the new one.
    try scene.folder.remove("cache.preheat/http")
    try rerun(scene, ["sourcesValidated": 1])
  }

  @Test func withoutAnHTTPCacheNothingIsAskedForAgainUnlessReloaded() throws {
    let server = try FaultServer(files: Scene.images)
    let scene = try Scene("\(server.url("/file/logo.png")) card", head: Scene.head + "http-cache off\n")
      .warmed()
    #expect(!scene.folder.has("cache.preheat/http"))
    try rerun(scene, ["current": 1])
    #expect(try server.count("/file/logo.png") == 1)
    try rerun(scene, ["made": 1], "--reload")
    #expect(try server.count("/file/logo.png") == 2)
  }

  @Test func aFileThatHasChangedIsDrawnAnew() throws {
    let scene = try Scene("./a card")
    try copy("logo.png", to: scene.folder, as: "a")
    #expect(try scene.run().status == 0)
    try rerun(scene, ["current": 1])
    try copy("grey.jpg", to: scene.folder, as: "a")
    try rerun(scene, ["made": 1])
    // Touched but the same.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: scene.folder.file("a").path)
    try rerun(scene, ["filesWritten": 0])
  }

  @Test func offlineBuildsFromWhatIsThereAndFailsTheRest() throws {
    let server = try FaultServer(files: Scene.images)
    let cached = server.url("/file/logo.png")
    let stored = server.url("/file/grey.jpg")
    let scene = try Scene("\(cached) card").warmed()
    try scene.write("\(stored) original", head: Scene.head + "http-cache off\n")
    #expect(try scene.run().status == 0)
    let requests = try server.stats().requests
    try copy("grey.jpg", to: scene.folder, as: "local.jpg")
    try scene.write(
      """
      \(cached) card circle reload
      \(stored) card
      \(server.url("/file/mountains.jpg")) card
      ./local.jpg card
      """)
    let result = try scene.run(["--offline", "--json"])
    let counts = try summary(result)
    #expect(counts["made"] == 3 && counts["current"] == 1 && counts["failed"] == 1)
    #expect(try result.errorCodes() == ["source.offline"])
    #expect(try server.stats().requests == requests)
    // An entry may say so for itself.
    try scene.write(
      "\(server.url("/file/mountains.jpg")) card offline\n\(cached) roundedCorners(radius: 3) offline")
    let entries = try scene.run(["--json"])
    #expect(try summary(entries)["made"] == 1)
    #expect(try entries.errorCodes() == ["source.offline"])
    #expect(try BuiltCommand.run(["run", "--offline", "--reload", "x.job"]).status == 2)
  }

  @Test(arguments: [true, false]) func whileAServerFailsWhatIsStaleStandsInIfTheJobSaysSo(may: Bool) throws {
    let pictures = try TemporaryFolder()
    try copy("logo.png", to: pictures, as: "a")
    let scene: Scene
    do {
      let server = try FaultServer(files: pictures.url)
      scene = try Scene("\(server.url("/versioned/a?cache-control=max-age%3D0")) card")
      #expect(try scene.run().status == 0)
    }
    let result = try scene.run(["--json"] + (may ? ["--stale-if-error", "1d"] : []))
    #expect(result.status == (may ? 0 : 5))
    #expect(try summary(result)["current"] == (may ? 1 : 0))
    #expect(try scene.entries().count == 1)
  }

  @Test func urlsThatDifferInTheirFragmentsAreOneDownload() throws {
    let server = try FaultServer(files: Scene.images)
    let url = server.url("/file/logo.png")
    let scene = try Scene("\(url)#a card\n\(url)#b card original\n\(url) circle")
    try rerun(scene, ["made": 4])
    #expect(try server.count("/file/logo.png") == 1)
    try rerun(scene, ["current": 4])
  }

  @Test func originalsNeedNoWorkerUnlessTheyHaveToDecode() throws {
    let worker = try TemporaryFolder()
    try worker.writeProgram("#!/bin/sh\nexit 1\n", to: "none")
    let environment = ["PREHEAT_RENDER": worker.file("none").path]
    let server = try FaultServer(files: Scene.images)
    let lines = ["mountains.jpg", "logo.png", "balloons.webp", "planets.gif"].map {
      "\(server.url("/file/\($0)")) original"
    }
    let scene = try Scene(lines.joined(separator: "\n"))
    #expect(try scene.run(environment: environment).status == 0)
    #expect(try scene.entries().count == 4)
    let strict = try Scene(lines.joined(separator: "\n"), head: Scene.head + "check decode\n")
    #expect(try strict.run(environment: environment).status != 0)
    #expect(try strict.run().status == 0)
  }

  @Test func noSecretIsInAnyFileOfARun() throws {
    let server = try FaultServer(files: Scene.images)
    let secret = "S3CRETvalue"
    let base = "http://me:\(secret)@127.0.0.1:\(server.port)"
    let scene = try Scene(
      """
      \(base)/file/logo.png card
      \(base)/headers-echo card
      \(base)/versioned/grey.jpg?token=\(secret) card original
      \(base)/resume?by=tag&token=\(secret) card
      """, head: Scene.head + "header 127.0.0.1 Authorization: Bearer ${TOKEN}\n")
    for _ in 0..<2 {
      let result = try scene.run(["--json", "--verbose"], environment: ["TOKEN": secret])
      #expect(!result.output.contains(secret) && !result.messages.contains(secret))
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: scene.folder.path)
    #expect(names.contains { $0.hasPrefix("cache.preheat/http/bodies/") })
    for name in names where name != "test.job" {
      #expect(!name.contains(secret))
      let data = (try? Data(contentsOf: scene.folder.file(name))) ?? Data()
      #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)")
    }
  }
}
