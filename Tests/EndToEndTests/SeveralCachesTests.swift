import Foundation
import KingfisherCache
import NukeCache
import SDWebImageCache
import TestSupport
import Testing

/// An app with several caches: a job, a bundle and an installation for each, and each source downloaded once.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct SeveralCachesTests {
  typealias App = (client: String, folders: [String], chains: [String])

  private static let apps: [App] = [
    (
      "nuke 12", ["com.example.feed", "com.example.avatars", "com.example.covers"],
      ["resize(width: 60)", "resize(size: 44x44, crop: true) | circle", "original"]
    ),
    (
      "kingfisher 8", ["feed", "avatars", "covers"].map { "com.onevcat.Kingfisher.ImageCache.\($0)" },
      ["blur(blurRadius: 2) style=options", "blur(blurRadius: 2) style=builder", "original"]
    ),
    (
      "sdwebimage 5", ["feed", "avatars", "covers"].map { "com.hackemist.SDImageCache/\($0)" },
      ["blur(radius: 2) original-store-cache-type=none", "resize(size: 30x30)", "original"]
    ),
  ]

  @Test(arguments: apps.indices)
  func oneRunDownloadsEachSourceOnceAndEachCacheIsInstalled(_ index: Int) throws {
    let app = Self.apps[index]
    let server = try NginxServer(serving: Scene.images)
    let folder = try TemporaryFolder()
    func preheat(_ arguments: [String]) throws -> BuiltCommand.Result {
      let result = try BuiltCommand.run(arguments, in: folder.url).expect(0)
      return result
    }
    let names = app.folders.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    // A first version of all jobs, as `init` writes it.
    try folder.write("\(server.baseURL)/mountains.jpg\n\(server.baseURL)/logo.png\n", to: "urls.txt")
    try folder.makeFolder("jobs")
    let jobs = names.map { "jobs/\($0).job" }
    for (job, cache) in zip(jobs, app.folders) {
      _ = try preheat(
        ["init", "--client", app.client, "--scale", "1", "urls.txt", "--cache", "out/\(cache)", "-o", job])
    }
    for (job, chain) in zip(jobs, app.chains) {
      let file = folder.file(job)
      var text = try String(contentsOf: file, encoding: .utf8)
      text = text.replacing(/(?m)^chain .*\n/, with: "").replacing(" thumb card", with: " \(chain)")
      try Data(text.replacing("\nclient ", with: "\nallow-private 127.0.0.1\nclient ").utf8)
        .write(to: file)
    }
    _ = try preheat(["run", "--retries", "0"] + jobs)
    #expect(try server.requests().sorted() == ["/logo.png", "/mountains.jpg"], "once for all caches")
    for (index, job) in jobs.enumerated() {
      _ = try preheat(["bundle", "out/\(app.folders[index])", "-o", "\(names[index]).zip", "--job", job])
      let target = folder.file("Caches/\(app.folders[index])")
      #expect(try Device.install(folder.file("\(names[index]).zip"), into: target) == 0)
      let keys = try preheat(["plan", job, "--json"]).objects().compactMap { $0["key"] as? String }
      #expect(keys.count == 2)
      for key in keys {
        #expect(try Self.finds(key, app.client, in: target), "\(app.folders[index]): \(key)")
      }
    }
    // No cache has entries of another one.
    let other = folder.file("Caches/\(app.folders[0])")
    let keys = try preheat(["plan", jobs[1], "--json"]).objects().compactMap { $0["key"] as? String }
    for key in keys { #expect(try !Self.finds(key, app.client, in: other)) }
  }

  /// A setting makes the same entries in a line as above all of them: the ledger has them for both.
  @Test(arguments: [
    ("kingfisher 8", "style", "builder", "blur(blurRadius: 2)"),
    ("kingfisher 8", "original-data", "on", "blur(blurRadius: 2)"),
    ("kingfisher 8", "forced-extension", "heic", "original"),
    ("sdwebimage 5", "original-store-cache-type", "none", "blur(radius: 2)"),
    ("sdwebimage 5", "transform-animated", "frames", "blur(radius: 2)"),
  ])
  func whatALineMadeIsCurrentForAJobWithTheSetting(
    client: String, name: String, value: String, chain: String
  ) throws {
    let sources = ["logo.png", "mountains.jpg"].map { Scene.images.appendingPathComponent($0).path }
    let head = "client \(client)\ncache cache\nscale 1\n"
    let scene = try Scene(
      sources.map { "\($0) \(chain) \(name)=\(value) id=\($0.hashValue)" }.joined(separator: "\n"),
      head: head
    ).warmed()
    let made = try scene.entries()
    try scene.write(
      sources.map { "\($0) \(chain) id=\($0.hashValue)" }.joined(separator: "\n"),
      head: head + "\(name) \(value)\n")
    let again = try scene.run(["--json"])
    #expect(try again.objects().last?["current"] as? Int == 2, "\(again.output)")
    #expect(try scene.entries() == made)
    // Without it other entries are asked for.
    try scene.write(sources.map { "\($0) \(chain) id=\($0.hashValue)" }.joined(separator: "\n"), head: head)
    let plain = try scene.run(["--json"])
    #expect(
      try plain.objects().last?["current"] as? Int == 0 || name.hasPrefix("transform"), "\(plain.output)")
  }

  /// Whether the client's own lookup in a folder of the device finds a key.
  private static func finds(_ key: String, _ client: String, in folder: URL) throws -> Bool {
    let (name, parent) = (folder.lastPathComponent, folder.deletingLastPathComponent())
    switch client.prefix(1) {
    case "n": return try DataCache(path: folder).containsData(for: key)
    case "k":
      let short = String(name.dropFirst("com.onevcat.Kingfisher.ImageCache.".count))
      return try DiskStorage.Backend(config: .init(name: short, directory: parent)).isCached(forKey: key)
    default:
      return try SDImageCache(namespace: name, diskCacheDirectory: parent).diskImageDataExists(withKey: key)
    }
  }
}
