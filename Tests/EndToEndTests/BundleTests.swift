import CacheBundleInstaller
import Foundation
import KingfisherCache
import NukeCache
import TestSupport
import Testing

/// From a job to the device: run, bundle, install, read as the clients read.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct BundleTests {
  private static func bundle(
    _ scene: Scene, _ output: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> BuiltCommand.Result {
    let result = try scene.preheat(["bundle", "cache", "-o", output] + arguments, environment: environment)
      .expect(0)
    return result
  }

  /// The keys that the job's requests have on the device.
  private static func keys(_ scene: Scene) throws -> [String] {
    let plan = try scene.preheat(["plan", "test.job", "--json"])
    return try plan.objects().compactMap { $0["key"] as? String }
  }

  @Test(arguments: ["catalog.zip", "catalog.bundle"])
  func everyRequestOfANukeJobIsAHitOnTheDevice(output: String) throws {
    let server = try NginxServer(serving: Scene.images)
    let scene = try Scene(
      """
      \(server.baseURL)/mountains.jpg card resize(size: 44x44, crop: true) | circle
      \(server.baseURL)/logo.png card original
      """, head: Scene.head + "policy storeAll\n"
    ).warmed()
    _ = try Self.bundle(scene, output)
    let target = scene.folder.file("Caches/com.example.catalog")
    #expect(try Device.install(scene.folder.file(output), into: target) == 0)
    let cache = try DataCache(path: target)
    let keys = try Self.keys(scene)
    #expect(keys.count == 4)
    for key in keys {
      #expect(cache.containsData(for: key), "\(key)")
      let file = try #require(DataCache.filename(for: key))
      #expect(cache.cachedData(for: key) == (try scene.files()[file]))
    }
    // Nuke's first sweep is kept off, and nothing of ours lies in its folder.
    #expect(try Set(Device.files(target).keys) == Set(scene.files().keys))
  }

  @Test func eachScreenGetsWhatItAsksFor() throws {
    let server = try NginxServer(serving: Scene.images)
    let scene = try Scene(
      """
      \(server.baseURL)/mountains.jpg card resize(size: 44x44, unit: pixels)
      \(server.baseURL)/logo.png card
      """, head: Scene.head + "scale 2 3\n"
    ).warmed()
    _ = try Self.bundle(scene, "all", ["--job", "test.job"])
    _ = try Self.bundle(scene, "catalog.zip", ["--job", "test.job", "--for-scale", "each"])
    _ = try Self.bundle(scene, "one.zip", ["--job", "test.job", "--for-scale", "3"])
    #expect(
      try Data(contentsOf: scene.folder.url.appendingPathComponent("one.zip"))
        == Data(contentsOf: scene.folder.url.appendingPathComponent("catalog-3x.zip")))
    let plan = try scene.preheat(["plan", "test.job", "--json"]).objects()
    let list = scene.folder.url.appendingPathComponent("catalog.json")
    for (asked, made) in [(1.0, 2.0), (2, 2), (2.5, 3), (3, 3), (4, 3)] {
      let bundle = try CacheBundle.url(forScale: asked, in: list)
      #expect(bundle.lastPathComponent == "catalog-\(Int(made))x.zip")
      let reader = try BundleReader(CacheBundle(at: bundle))
      for object in plan {
        guard let file = object["file"] as? String else { continue }
        let isHere = "\(object["chain"] ?? "")".contains("pixels") || object["scale"] as? Double == made
        #expect(reader.contains(file) == isHere, "\(object)")
      }
    }
    for arguments in [
      ["--for-scale", "4", "--job", "test.job"], ["--for-scale", "3"],
      ["--for-scale", "each", "--since", "all"],
    ] {
      try scene.preheat(["bundle", "cache", "-o", "no.zip"] + arguments).expect(2)
    }
  }

  @Test func everyRequestOfAKingfisherJobIsAHitUntilItExpires() throws {
    let server = try NginxServer(serving: Scene.images)
    let head = """
      client kingfisher 8
      cache cache
      allow-private 127.0.0.1
      expires 7d
      forced-extension jpg
      chain card = downsampling(size: 60x60)

      """
    let scene = try Scene(
      """
      \(server.baseURL)/mountains.jpg card original
      \(server.baseURL)/logo.png card expires=never
      """, head: head)
    try scene.run().expect(0)
    _ = try Self.bundle(scene, "catalog.zip")
    let caches = scene.folder.file("Caches")
    let before = Date()
    try BundleInstaller(folder: BundleInstaller.kingfisherFolder(in: caches))
      .install(scene.folder.file("catalog.zip"))
    let after = Date()
    let storage = try DiskStorage.Backend(config: .init(name: "default", directory: caches))
    storage.config.pathExtension = "jpg"
    let keys = try Self.keys(scene)
    #expect(keys.count == 3)
    for key in keys {
      let isForEver = key.contains("logo")
      let week = 7 * 86_400.0
      func isCached(_ date: Date) -> Bool {
        storage.isCached(forKey: key, referenceDate: date)
      }
      #expect(isCached(before.addingTimeInterval(week - 1)), "\(key)")
      #expect(isCached(after.addingTimeInterval(week + 2)) == isForEver, "\(key)")
      #expect(try storage.value(forKey: key)?.isEmpty == false)
    }
  }

  /// Other folders, time zones, orders of lines and of fetching.
  @Test func aBundleMadeTwiceIsTheSameToTheByte() throws {
    let server = try NginxServer(serving: Scene.images)
    let lines = ["mountains.jpg", "logo.png", "portrait-6.jpg", "progressive.jpg"]
      .map { "\(server.baseURL)/\($0) card resize(width: 40)" }
    let made = try ["Pacific/Apia", "America/St_Johns", "UTC"].enumerated().map { turn, zone in
      let scene = try Scene((turn == 0 ? lines : lines.shuffled()).joined(separator: "\n"))
      #expect(try scene.run(["-w", "\(turn + 1)"], environment: ["TZ": zone]).status == 0)
      var result: [String: [String: Device.File]] = [:]
      for output in ["b.zip", "b.bundle"] {
        _ = try Self.bundle(scene, "out/" + output, environment: ["TZ": zone])
      }
      result["all"] = try Device.files(scene.folder.file("out")).filter { $0.key.hasPrefix("b.") }
      result["dates"] = try Device.files(scene.folder.file("out/b.bundle"), dates: true)
      return result
    }
    #expect(made[0]["all"]?.count == 1 + 8 + 2)
    #expect(made[0] == made[1] && made[1] == made[2])
  }

  @Test func theDateOfTheSourceIsThatOfEveryFileInTheArchive() throws {
    let scene = try Scene(Scene.ordinaryLines[0]).warmed()
    var unpacked: [[String: Device.File]] = []
    for (name, date) in [("a", nil), ("b", "1700000000")] {
      let environment = date.map { ["SOURCE_DATE_EPOCH": $0] } ?? [:]
      _ = try Self.bundle(scene, name + ".zip", environment: environment)
      let folder = scene.folder.file(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let archive = scene.folder.file(name + ".zip").path
      #expect(Tracing.succeeds(["unzip", "-qq", archive, "-d", folder.path]))
      unpacked.append(try Device.files(folder, dates: true))
    }
    #expect(unpacked[0].count == 2 + 6 && unpacked[0].keys == unpacked[1].keys)
    for (files, date) in zip(unpacked, [315_532_800, 1_700_000_000] as [TimeInterval]) {
      #expect(files.values.allSatisfy { $0.modified?.timeIntervalSince1970 == date })
    }
    // The index alone states the date; whatever else it says is the same.
    for (name, file) in unpacked[0] where name != "index.json" {
      #expect(file.bytes == unpacked[1][name]?.bytes, "\(name)")
    }
    var indexes = try unpacked.map {
      try JSONDecoder().decode(BundleIndex.self, from: #require($0["index.json"]).bytes)
    }
    #expect(indexes.map(\.date) == [nil, 1_700_000_000])
    indexes[1].date = nil
    #expect(try indexes[0].encoded() == indexes[1].encoded())
  }

  @Test(arguments: [
    ["unzip", "-tqq", "b.zip"], ["python3", "-m", "zipfile", "-t", "b.zip"], ["bsdtar", "-tf", "b.zip"],
  ])
  func otherToolsReadABundle(command: [String]) throws {
    guard Tracing.succeeds(["sh", "-c", "command -v \(command[0])"]) else { return }
    let scene = try Scene(Scene.ordinaryLines[0]).warmed()
    let output = try #require(command.last)
    _ = try Self.bundle(scene, output)
    #expect(Tracing.succeeds(command.dropLast() + [scene.folder.file(output).path]))
  }

  /// In a query, in front of the host and in a header.
  @Test func noSecretGetsIntoABundle() throws {
    let server = try NginxServer(serving: Scene.images)
    let signed = server.baseURL.replacingOccurrences(of: "http://", with: "http://user:hush-user@")
    let scene = try Scene(
      """
      \(server.baseURL)/mountains.jpg?token=hush-query card
      \(server.baseURL)/mountains.jpg?X-Amz-Signature=hush-amz&v=2 card
      \(signed)/logo.png card
      \(server.baseURL)/portrait-6.jpg card
      """, head: Scene.head + "header 127.0.0.1 Authorization: Bearer ${HUSH_TOKEN}\n")
    try scene.run(environment: ["HUSH_TOKEN": "hush-header"]).expect(0)
    for output in ["b.zip", "b.bundle"] {
      let report = try Self.bundle(scene, output, ["--json"])
      #expect(!report.output.contains("hush") && !report.messages.contains("hush"))
    }
    for (name, file) in try Device.files(scene.folder.url) where name.hasPrefix("b.") {
      #expect(file.bytes.range(of: Data("hush".utf8)) == nil, "\(name)")
    }
    let index = try CacheBundle(at: scene.folder.file("b.zip")).checked(by: nil).index
    #expect(index.entries.count == 4 && index.entries.filter { $0.key != nil }.count == 1)
    #expect(index.entries.allSatisfy { $0.source?.contains("127.0.0.1") == true })
  }

  @Test func aBundleWhileARunIsAtWorkIsTurnedAway() throws {
    let server = try FaultServer()
    let scene = try Scene(Scene.ordinaryLines[0]).warmed()
    try scene.write("\(server.url("/hang")) card", to: "holder.job")
    let holder = try BuiltCommand.start(["run", "holder.job"], in: scene.folder.url)
    #expect(try eventually { try server.count("/hang") > 0 })
    try scene.preheat(["bundle", "cache", "-o", "b.zip"]).expect(11, "bundle.locked")
    kill(holder.process.processIdentifier, SIGKILL)
    _ = try holder.wait()
    _ = try Self.bundle(scene, "b.zip")
  }
}
