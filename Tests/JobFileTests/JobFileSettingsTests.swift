import ClientKit
import ClientRegistry
import Foundation
import JobSupport
import KingfisherCache
import NukeCache
import Testing

@testable import JobFile
@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct JobFileSettingsTests {
  @Test func aDrawingOfAnEarlierReleaseIsThatOfToday() throws {
    let job = JobFileReading("client nuke 12\ncache out\ndrawing libvips-linear\nhttps://e.com/1.jpg")
    #expect(job.diagnostics.isEmpty)
    #expect(try #require(job.settings).drawing == .libvips)
  }

  @Test func everySettingIsRead() throws {
    let job = JobFileReading(
      """
      client  nuke 12.5.0     # a tag
      cache   "out/my cache"
      policy  reachable
      scale   3 2.0 3
      encode  jpeg(quality: 65)
      embedded prefer
      gamut   srgb
      strip-query  token X-Amz-*
      strip-query  token sig
      header  IMG.example.com  Authorization: Bearer a#b (x # y) # comment
      header  img.example.com:8080 X-Two:${ONE}${TWO}$THREE
      allow-private  media.intranet *.lan:8080 127.0.0.1 [::1]:80 fe80::1
      https://e.com/1.jpg
      """, environment: ["ONE": "1 ", "TWO": "zwei"])
    #expect(job.diagnostics.isEmpty, "\(job.diagnostics.rendered())")
    let settings = try #require(job.settings)
    #expect(settings.path == "test.job")
    #expect(settings.client == CacheClient(name: "nuke", release: Release(NukeVersion(12, 5, 0))))
    #expect(settings.cache == FileManager.default.currentDirectoryPath + "/out/my cache")
    #expect(settings.values[StoragePolicy.key] == .reachable)
    #expect(settings.scales == [2, 3])
    #expect(settings.encoding == .jpeg(quality: 65))
    #expect(settings.embedded == .prefer)
    #expect(settings.values[JobKey.gamut] == .srgb)
    #expect(
      settings.values[JobKey.stripQuery] == [
        "token", "X-Amz-*", "sig",
      ])
    #expect(
      settings.values[JobKey.header] == [
        HostHeader(host: "img.example.com", name: "Authorization", value: "Bearer a#b (x # y)"),
        HostHeader(host: "img.example.com:8080", name: "X-Two", value: "1 zwei$THREE", isSecret: true),
      ])
    #expect(
      settings.values[JobKey.allowPrivate] == [
        "media.intranet", "*.lan:8080", "127.0.0.1", "[::1]:80", "fe80::1",
      ])
  }

  @Test("Policies have the client's names", arguments: DataCachePolicy.allCases)
  func policy(_ policy: DataCachePolicy) {
    let job = JobFileReading("client nuke 13\ncache o\npolicy \(policy.rawValue)\n/1.png")
    #expect(job.settings?.values[StoragePolicy.key] == StoragePolicy(rawValue: policy.rawValue))
  }

  @Test func whatIsNotSaidHasItsDefault() throws {
    let settings = try #require(JobFileReading("client nuke 12\ncache o\n/1.png").settings)
    #expect(try settings.client == CacheClient(name: "nuke", release: Release(NukeVersion(parsing: "12"))))
    #expect(settings.values[StoragePolicy.key] == .automatic)
    #expect(settings.scales == [1])
    #expect(settings.encoding == .client)
    #expect(
      settings.values[JobKey.header].isEmpty && settings.values[JobKey.stripQuery].isEmpty
        && settings.values[JobKey.allowPrivate].isEmpty)
  }

  @Test func flagsWinOverTheEnvironmentWhichWinsOverTheJob() throws {
    let text =
      "client nuke 10\ncache a\npolicy storeAll\nscale 1\nencode png\nallow-private a\ndefault circle\n/1.png"
    let environment = [
      "PREHEAT_CLIENT": "nuke 11", "PREHEAT_CACHE": "/b//x/", "PREHEAT_POLICY": "storeOriginalData",
      "PREHEAT_SCALE": "2", "PREHEAT_ENCODE": "jpeg(quality: 2)", "PREHEAT_ALLOW_PRIVATE": "b, c",
      "PREHEAT_CHAIN": "resize(width: 2)",
    ]
    let middle = JobFileReading(text, environment: environment)
    #expect(middle.errors.isEmpty)
    var settings = try #require(middle.settings)
    #expect(settings.client.description.hasPrefix("nuke 11."))
    #expect(settings.cache == "/b/x")
    #expect(settings.values[StoragePolicy.key] == .storeOriginalData)
    #expect(settings.scales == [2])
    #expect(settings.encoding == .jpeg(quality: 2))
    #expect(settings.values[JobKey.allowPrivate] == ["a", "b", "c"])
    #expect(
      middle.entries.map { middle.chains(of: $0) } == [[nukeChain(processors: [.resize(width: 2)])]])

    let overrides = GivenSettings([
      "client": ["nuke 13"], "cache": ["c/../d"], "policy": ["reachable"], "scale": ["3 1.5"],
      "encode": ["png"], "default": ["original circle", "circle|circle"], "allow-private": ["d"],
    ])
    let top = JobFileReading(text, overrides: overrides, environment: environment)
    #expect(top.errors.isEmpty)
    settings = try #require(top.settings)
    #expect(settings.client.description.hasPrefix("nuke 13."))
    #expect(settings.cache == FileManager.default.currentDirectoryPath + "/d")
    #expect(settings.values[StoragePolicy.key] == .reachable)
    #expect(settings.scales == [1.5, 3])
    #expect(settings.encoding == .png)
    #expect(settings.values[JobKey.allowPrivate] == ["a", "d", "b", "c"])
    #expect(top.entries[0].chains.map { top.chains[$0].label } == ["original", "circle", "circle|circle"])
  }

  @Test func whatIsWrongInAFlagIsShownAtTheFlag() {
    let overrides = GivenSettings([
      "client": ["nuke 99"], "cache": [""], "policy": ["storeal"],
      "default": ["resize(widht: 3)", "circle reload"], "allow-private": ["http://x"],
    ])
    let job = JobFileReading(
      "/1.png", overrides: overrides, environment: ["PREHEAT_SCALE": "0", "PREHEAT_POLICY": "unread"])
    #expect(
      job.errors.map { "\($0.file):\($0.line):\($0.column)" } == [
        "--allow-private:1:1", "--cache:1:1", "--chain:1:8", "--chain:1:8", "--client:1:6", "--policy:1:1",
        "PREHEAT_SCALE:1:1",
      ])
    #expect(job.errors.map(\.sourceLine).contains("resize(widht: 3)"))
    #expect(job.errors.compactMap(\.help).contains("did you mean 'storeAll'?"))
  }

  @Test func aPlainListIsAJobWithSettingsFromTheCommandLine() {
    let overrides = GivenSettings([
      "client": ["nuke 12"], "cache": ["out"], "default": ["resize(width: 320)"],
    ])
    let job = JobFileReading(
      .text(name: "-", bytes: Array("https://e.com/1.jpg\nhttps://e.com/2.jpg".utf8)), overrides: overrides)
    #expect(job.diagnostics.isEmpty)
    #expect(job.settings?.path == "-" && JobInput(path: "-").path == "-")
    #expect(JobInput(path: "-") == .standardInput && JobInput.standardInput.name == "<stdin>")
    #expect(job.entries.map(\.file) == ["-", "-"])
    #expect(
      job.entries.map { job.chains(of: $0) }.allSatisfy {
        $0 == [nukeChain(processors: [.resize(width: 320)])]
      })
  }

  @Test func aWrongClientInTheJobDoesNotMatterWhenAFlagSaysAnother() {
    var overrides = GivenSettings(["client": ["nuke 12"]])
    let job = JobFileReading("client kingfisher 8\ncache out\n/1.png circle", overrides: overrides)
    #expect(job.errors.isEmpty)
    overrides["client"] = "kingfisher 8"
    let other = JobFileReading("client nuke 12\ncache out\n/1.png circle", overrides: overrides)
    #expect(other.errors.map(\.message) == ["'circle' is Nuke's, and the client is kingfisher"])
    #expect(
      other.settings?.client == CacheClient(name: "kingfisher", release: Release(KingfisherVersion.latest)))
  }
}
