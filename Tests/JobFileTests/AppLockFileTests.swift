import Foundation
import JobSupport
import Syntax
import TestSupport
import Testing
import Text

@testable import ClientKit
@testable import ClientRegistry
@testable import JobFile

/// `client NAME from FILE`: the release that an app's lock file names.
@Suite(.timeLimit(.minutes(10)))
struct AppLockFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["jobs", "App"] {
      try folder.makeFolder(name)
    }
  }

  /// A job that takes the release of `client` from a file in `App`.
  private func job(
    _ client: String, from name: String, _ text: String, more: String = "", trust: JobTrust = JobTrust()
  ) throws -> JobFileReading {
    try folder.write(text, to: "App/\(name)")
    try folder.write(
      "client \(client) from ../App/\(name)\n\(more)\ncache out\nhttps://e.com/1.jpg\n", to: "jobs/a.job")
    return JobFileReading(.file(folder.file("jobs/a.job").path), trust: trust)
  }

  private func release(_ client: String, _ name: String, _ text: String) throws -> String? {
    try job(client, from: name, text).settings.map { "\($0.client)" }
  }

  private static let revision = String(repeating: "0", count: 39) + "1"

  /// A pin as versions 2 and 3 of Package.resolved have it.
  private static func pin(
    _ identity: String, _ location: String, _ state: String, kind: String = "remoteSourceControl"
  ) -> String {
    """
        {
          "identity" : "\(identity)",
          "kind" : "\(kind)",
          "location" : "\(location)",
          "state" : {
            \(state)
          }
        }
    """
  }

  private static func version(_ text: String) -> String {
    "\"revision\" : \"\(revision)\",\n            \"version\" : \"\(text)\""
  }

  private static func resolved(_ pins: String..., version: Int = 3) -> String {
    let hash = version == 3 ? "\"originHash\" : \"0003\",\n  " : ""
    return "{\n  \(hash)\"pins\" : [\n\(pins.joined(separator: ",\n"))\n  ],\n  \"version\" : \(version)\n}\n"
  }

  private static let first = """
    {
      "object": {
        "pins": [
          { "package": "NukeUI", "repositoryURL": "https://github.com/kean/NukeUI.git",
            "state": { "branch": null, "revision": "0000", "version": "0.8.0" } },
          { "package": "Nuke", "repositoryURL": "https://github.com/kean/Nuke.git",
            "state": { "branch": null, "revision": "0001", "version": "10.11.2" } }
        ]
      },
      "version": 1
    }
    """

  private static let pods = """
    PODS:
      - "GoogleUtilities/NSData+zlib (7.0.0)"
      - Kingfisher (7.12.0)
      - NukeUI (12.1.0):
        - Nuke (= 12.1.0)
      - SDWebImage/Core (5.21.5)
      - SDWebImageWebPCoder (0.14.0):
        - SDWebImage/Core (~> 5.17)

    DEPENDENCIES:
      - Kingfisher (~> 7.0)
      - Nuke (= 9.0)
      - SDWebImage/Core

    SPEC REPOS:
      trunk:
        - Kingfisher

    SPEC CHECKSUMS:
      Kingfisher: 0005

    PODFILE CHECKSUM: 0007

    COCOAPODS: 1.16.2
    """

  @Test func everyFormatOfPackageResolvedIsRead() throws {
    #expect(try release("nuke", "Package.resolved", Self.first) == "nuke 10.11.2")
    let nuke = Self.pin("nuke", "https://github.com/kean/Nuke", Self.version("12.8.0"))
    let other = Self.pin("nukeui", "https://github.com/kean/NukeUI", Self.version("0.8.3"))
    for version in [2, 3] {
      #expect(
        try release("nuke", "Package.resolved", Self.resolved(other, nuke, version: version)) == "nuke 12.8.0"
      )
    }
    // Tuist's, with Windows line ends and a byte order mark.
    let text = "\u{FEFF}" + Self.resolved(nuke).replacing("\n", with: "\r\n")
    #expect(try release("nuke", ".package.resolved", text) == "nuke 12.8.0")
  }

  @Test(arguments: [
    "https://github.com/SDWebImage/SDWebImage.git", "http://github.com/sdwebimage/sdwebimage/",
    "git@github.com:SDWebImage/SDWebImage.git", "ssh://git@github.com/SDWebImage/SDWebImage",
    "ssh://git@github.com:22/SDWebImage/SDWebImage.git", "https://github.com/rs/SDWebImage",
    "https://bob:s3cr3t@GitHub.com/SDWebImage/SDWebImage",
  ])
  func oneRepositoryHasManyLocations(location: String) throws {
    let text = Self.resolved(Self.pin("sdwebimage", location, Self.version("5.19.7")))
    let job = try job("sdwebimage", from: "Package.resolved", text)
    #expect(job.settings?.client.description == "sdwebimage 5.19.7")
    #expect(job.diagnostics.isEmpty, "\(job.diagnostics.rendered())")
  }

  @Test func podsAreComparedByTheirWholeNames() throws {
    #expect(try release("kingfisher", "Podfile.lock", Self.pods) == "kingfisher 7.12.0")
    #expect(try release("sdwebimage", "Podfile.lock", Self.pods) == "sdwebimage 5.21.5")
    // Only a requirement of another pod names it.
    let job = try job("nuke", from: "Podfile.lock", Self.pods)
    #expect(job.settings == nil)
    #expect(job.errors.map(\.message).joined().contains("App/Podfile.lock: Nuke is not in it"))
    #expect(job.errors.map { [$0.line, $0.column] } == [[1, 18]])
  }

  private static func nuke(at location: String, _ state: String) -> (String, String) {
    ("Package.resolved", resolved(pin("nuke", location, state)))
  }

  private static func pods(_ source: String) -> (String, String) {
    (
      "Podfile.lock",
      "PODS:\n  - Nuke (12.9.0)\n\nEXTERNAL SOURCES:\n  Fonts:\n    :path: ../F\n  Nuke:\n    \(source)\n"
    )
  }

  /// A version number means nothing where it is not the library's own.
  static let others = [
    nuke(at: "git@github.com:acme/Nuke.git", #""version" : "12.8.0""#),
    nuke(at: "https://github.com/kean/Nuke", #""branch" : "main""#),
    nuke(at: "https://github.com/kean/Nuke", #""revision" : "0001""#),
    nuke(at: "https://github.com/kean/Nuke", #""version" : "13.0-beta.1""#),
    nuke(at: "/Users/bob/kean/Nuke", #""version" : "12.8.0""#),
    nuke(at: "https://bob:s3cr3t@e.com/acme/Nuke", #""version" : "12.8.0""#),
    pods(":path: \"../Nuke\""), pods(":branch: main\n    :git: https://github.com/kean/Nuke.git"),
    ("Podfile.lock", "PODS:\n  - Nuke (12.9.0)\n  - Nuke (12.8.0)\n"),
    ("Podfile.lock", "PODS:\n  - Nuke (= 12.9.0)\n"),
  ].map { ($0.0, $0.1, "Nuke is not pinned to one release of kean/Nuke") }

  // MARK: Later releases

  @Test func aLaterReleaseIsRefusedUnlessTheNearestMayStandForIt() throws {
    for (asked, nearest) in [("99.0.0", "14.0.0")] {
      let text = Self.resolved(Self.pin("nuke", "https://github.com/kean/Nuke", Self.version(asked)))
      let refused = try job("nuke", from: "Package.resolved", text)
      #expect(refused.settings == nil)
      #expect(refused.errors.map(\.message).joined().contains("Nuke \(asked)"))
      #expect(
        refused.errors.compactMap(\.help).joined().contains("--nearest-release takes \(nearest) for it"))
      let taken = try job("nuke", from: "Package.resolved", text, more: "nearest-release on")
      #expect(taken.settings?.client.description == "nuke \(nearest)", "\(taken.diagnostics.rendered())")
      let note = try #require(taken.settings.map { $0.origin.note($0.client) ?? "" })
      #expect(note.contains("the nearest known release to \(asked) of "))
    }
    #expect(
      JobFileReading("client nuke 99\nnearest-release on\ncache out\nhttps://e.com/1.jpg").settings?.client
        .release.major == 14)
  }

  /// Typed and from a lock file, with the newest known patch of its minor version.
  static let laterPatches = [
    ("nuke", "13.2.9", "13.2.3"), ("nuke", "12.99.0", "12.9.0"), ("kingfisher", "8.16.0", "8.11.0"),
    ("kingfisher", "7.2.9", "7.2.4"), ("sdwebimage", "5.21.8", "5.21.7"), ("sdwebimage", "5.3.5", "5.3.4"),
  ]

  @Test(arguments: laterPatches)
  func aLaterPatchIsTakenWithAWarning(client: String, asked: String, known: String) throws {
    let library = try #require(ClientRegistry.library(named: client))
    let rest = "cache out\nhttps://e.com/1.jpg original"
    let place = "https://github.com/\(library.package?.repositories.first ?? "")"
    let text = Self.resolved(Self.pin(client, place, Self.version(asked)))
    for reading in [
      JobFileReading("client \(client) \(asked)\n\(rest)"), try job(client, from: "Package.resolved", text),
    ] {
      let settings = try #require(reading.settings, "\(reading.diagnostics.rendered())")
      #expect("\(settings.client)" == "\(client) \(asked)")
      let warnings = reading.diagnostics.sorted.map(\.message)
      #expect(warnings.count == 1, "\(warnings)")
      #expect(
        warnings[0].hasSuffix(
          "\(library.title) \(asked) is not known here; it is taken for one with the rules of \(known)"))
      #expect(settings.releaseNote?.hasSuffix("not known here, by the rules of \(known)") == true)
    }
    let nearest = try job(client, from: "Package.resolved", text, more: "nearest-release on")
    #expect(nearest.settings?.client.description == "\(client) \(known)" && nearest.diagnostics.isEmpty)
  }

  // MARK: One road

  @Test func aFlagReadsTheFileAsAJobDoes() throws {
    try folder.write(Self.pods, to: "App/Podfile.lock")
    try folder.write(
      "client nuke from missing/Podfile.lock\ncache out\nhttps://e.com/1.jpg\n", to: "jobs/a.job")
    let path = folder.file("App/Podfile.lock").path
    let flag = GivenSettings(["client": ["kingfisher from \"\(path)\""]])
    let job = JobFileReading(.file(folder.file("jobs/a.job").path), overrides: flag)
    #expect(job.settings?.client.description == "kingfisher 7.12.0", "\(job.diagnostics.rendered())")
    #expect(ResolvedSettings(flag).client?.description == "kingfisher 7.12.0")
    let wrong = JobFileReading(
      .file(folder.file("jobs/a.job").path), overrides: GivenSettings(["client": ["nuke from \(path)"]]))
    #expect(wrong.errors.map(\.file) == ["--client"])
  }

  /// A job that is made of it lies elsewhere.
  @Test func aJobMadeOfThisOneHasTheReleaseItself() throws {
    let text = "client kingfisher from ../App/Podfile.lock\ncache out\nhttps://e.com/1.jpg\n"
    try folder.write(Self.pods, to: "App/Podfile.lock")
    try folder.write(text, to: "jobs/a.job")
    let job = JobReader(.file(folder.file("jobs/a.job").path)).head
    #expect(job.settingLines.map(\.text) == ["client kingfisher 7.12.0"])
  }

  @Test(arguments: [
    "nuke from", "nuke from \"\"", "nuke from a b", "nuke from Gemfile.lock", "nuke from Cartfile.resolved",
    "mango from Podfile.lock",
  ])
  func aLineWithoutALockFileIsWrong(line: String) {
    let job = JobFileReading("client \(line)\ncache out\nhttps://e.com/1.jpg")
    #expect(job.settings == nil && job.errors.count == 1, "\(job.diagnostics.rendered())")
  }

  // MARK: Strangers

  @Test func theFileHasToLieInTheTrustedFolders() throws {
    let trust = JobTrust(roots: try TrustedRoots([folder.file("jobs").path]))
    let outside = try job("kingfisher", from: "Podfile.lock", Self.pods, trust: trust)
    #expect(outside.errors.map(\.message).joined().contains("it is outside of the trusted folders"))
    try folder.link("jobs/Podfile.lock", to: folder.file("App/Podfile.lock").path)
    try folder.write(
      "client kingfisher from Podfile.lock\ncache out\nhttps://e.com/1.jpg\n", to: "jobs/a.job")
    let linked = JobFileReading(.file(folder.file("jobs/a.job").path), trust: trust)
    #expect(linked.errors.map(\.message).joined().contains("it is outside of the trusted folders"))
    let both = JobTrust(roots: try TrustedRoots([folder.path]))
    #expect(try job("kingfisher", from: "Podfile.lock", Self.pods, trust: both).settings != nil)
  }

  static let wrong = [
    ("Package.resolved", "{\n\"pins\": [\n<<<<<<< HEAD\n", "not as Swift Package Manager"),
    ("Package.resolved", "{\n  \"pins\" : [],\n  \"version\" : 4\n}", "not as Swift Package Manager"),
    ("Package.resolved", "{\n  \"pins\" : []\n}", "not as Swift Package Manager"),
    ("Package.resolved", "[]", "not as Swift Package Manager"),
    ("Package.resolved", String(repeating: "[", count: 100_000), "not as Swift Package Manager"),
    (
      "Package.resolved", String(repeating: String(repeating: " ", count: 1023) + "\n", count: 5000),
      "larger than 4"
    ),
    ("Package.resolved", String(repeating: " ", count: 2 << 20), "longer than 1 MiB"),
    // Canonically the pod's name, and not its bytes.
    (
      "Podfile.lock", "PODS:\n  - Nuke\u{316}\u{301} (12.9.0)\n  - Nu\u{212A}e (12.9.0)\n",
      "Nuke is not in it"
    ),
    ("Podfile.lock", "{PODS: [Nuke (12.9.0)]}\n", "Nuke is not in it"),
    (
      "Package.resolved", resolved(pin("nuke", "https://github.com/kean/Nuke", version("9.6.0"))),
      "Nuke 9.6.0 is not supported"
    ),
  ]

  @Test(arguments: others + wrong)
  func aWrongFileIsRefused(name: String, text: String, message: String) throws {
    let job = try job("nuke", from: name, text)
    #expect(job.settings == nil)
    let told = job.errors.map(\.message).joined()
    #expect(told.contains("App/\(name): ") && told.contains(message), "\(told)")
    #expect(job.errors.map { [$0.line, $0.column] } == [[1, 18]])
    #expect(!job.diagnostics.rendered().contains("s3cr3t"))
  }

  @Test func whatIsNoFileIsRefused() throws {
    try folder.makeFolder("App/Podfile.lock")
    #expect(mkfifo(folder.file("App/.package.resolved").path, 0o600) == 0)
    try folder.link("App/Package.resolved", to: "/dev/zero")
    for name in ["Podfile.lock", ".package.resolved", "Package.resolved", "gone/Podfile.lock"] {
      let job = JobFileReading(
        "client nuke from \(folder.file("App").path)/\(name)\ncache out\nhttps://e.com/1.jpg")
      #expect(
        job.errors.map(\.message).joined().contains("this cannot be read"), "\(job.diagnostics.rendered())")
    }
  }

  // MARK: Beside the job

  @Test func aLockFileBesideTheJobIsComparedWithAFixedRelease() throws {
    func settings(_ client: String) throws -> JobSettings {
      try folder.write("client \(client)\ncache out\nhttps://e.com/1.jpg\n", to: "jobs/a.job")
      return try #require(JobFileReading(.file(folder.file("jobs/a.job").path)).settings)
    }
    try folder.write(Self.pods, to: "Podfile.lock")
    // Outside of a repository only the job's own folder is looked into.
    #expect(try settings("kingfisher 7").releaseNote == nil)
    try folder.makeFolder(".git")
    #expect(try settings("kingfisher 7.12.0").releaseNote == nil)
    #expect(try settings("kingfisher 8.0.0").releaseNote?.contains("kingfisher 8.0.0, but ") == true)
    #expect(try settings("kingfisher 8.0.0").releaseNote?.hasSuffix("Podfile.lock has 7.12.0") == true)
    #expect(try settings("nuke 12").releaseNote == nil)
    let package = "App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm"
    try folder.makeFolder(package)
    func note(_ client: String, beside version: String) throws -> String? {
      let pin = Self.pin("nuke", "https://github.com/kean/Nuke", Self.version(version))
      try folder.write(Self.resolved(pin), to: package + "/Package.resolved")
      return try settings(client).releaseNote
    }
    #expect(try note("nuke 12", beside: "12.8.0")?.hasSuffix("Package.resolved has 12.8.0") == true)
    #expect(try note("nuke 14.0.0-rc.1", beside: "14.0.0-rc.1")?.contains(", but ") == false)
    #expect(try note("nuke 14.0.0-rc.2", beside: "14.0.0-rc.1")?.hasSuffix("has 14.0.0-rc.1") == true)
  }

  @Test func everyClientSaysHowLockFilesNameIt() {
    for library in ClientRegistry.libraries {
      #expect(library.package?.repositories.isEmpty == false && library.package?.pod.isEmpty == false)
    }
  }
}
