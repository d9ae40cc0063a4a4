import Foundation
import TestSupport
import Testing

/// Caches and bundles as the tools find them, made once and copied for each kill.
struct ToolStage {
  enum Tool: String, CaseIterable, Sendable {
    case zip, folder, merge, sweep, repair

    var arguments: [String] {
      switch self {
      case .zip: ["bundle", "cache", "-o", "out/b.zip", "--allow-local-keys"]
      case .folder: ["bundle", "cache", "-o", "out/b.bundle", "--allow-local-keys"]
      case .merge: ["merge", "a", "b", "-o", "cache"]
      case .sweep: ["sweep", "cache", "--size-limit", "60000"]
      case .repair: ["verify", "cache", "--repair"]
      }
    }
  }

  let tool: Tool
  private let base: Scene
  /// The entries of a whole cache.
  private let whole: [String: Data]
  /// What the tool leaves that nobody disturbs; of a bundle its files.
  private let bundle: [String: Device.File]

  init(_ tool: Tool) throws {
    self.tool = tool
    base = try Scene.ordinary()
    let made = try base.run()
    try #require(made.status == 0, "\(made.messages)")
    whole = try base.entries()
    let folder = base.folder
    try base.write(Scene.ordinaryLines[0], to: "half.job")
    switch tool {
    case .zip, .folder:
      // An older bundle is there already.
      try Self.succeed(["run", "half.job", "--cache", "half/cache"], in: folder)
      try Self.succeed(tool.arguments.map { $0 == "cache" ? "half/cache" : $0 }, in: folder)
    case .merge:
      try Self.succeed(["run", "half.job", "--cache", "a"], in: folder)
      try Self.succeed(["run", "test.job", "--cache", "b"], in: folder)
      for name in ["cache", "cache.preheat"] { try folder.remove(name) }
    case .sweep: break
    case .repair:
      let names = whole.keys.sorted()
      let path = { (name: String) in folder.file("cache/\(name)") }
      try #require(whole[names[0]]).dropLast(30).write(to: path(names[0]))
      try #require(whole[names[1]]).write(to: path(names[2]))
      try FileManager.default.removeItem(at: path(names[3]))
    }
    guard [.zip, .folder].contains(tool) else {
      bundle = [:]
      return
    }
    let copy = try Self.copy(of: folder)
    try Self.succeed(tool.arguments, in: copy)
    bundle = try Device.files(copy.file("out"))
  }

  private static func succeed(_ arguments: [String], in folder: TemporaryFolder) throws {
    let result = try BuiltCommand.run(arguments, in: folder.url)
    try #require(result.status == 0, "\(arguments): \(result.messages)")
  }

  private static func copy(of folder: TemporaryFolder) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    // With dates to the nanosecond.
    try #require(Tracing.succeeds(["cp", "-a", folder.path + "/.", copy.path]))
    return copy
  }

  /// Runs the tool on a copy.
  func run(wrapper: [String]) throws -> (folder: TemporaryFolder, status: Int32) {
    let folder = try Self.copy(of: base.folder)
    return (folder, try BuiltCommand.run(tool.arguments, in: folder.url, wrapper: wrapper).status)
  }

  /// After the end of a tool, however it came: what is there is right, and the next one completes it.
  func check(_ folder: TemporaryFolder, _ comment: Comment) throws {
    func run(_ arguments: [String]) throws -> BuiltCommand.Result {
      try BuiltCommand.run(arguments, in: folder.url)
    }
    func verify(_ path: String) throws {
      let result = try run(["verify", path, "--quick"])
      #expect(result.status == 0, "\(comment): \(result.output)\(result.messages)")
    }
    switch tool {
    case .zip, .folder:
      try verify(tool.arguments[3])
      #expect(try run(tool.arguments).status == 0, comment)
      #expect(try Device.files(folder.file("out")) == bundle, comment)
    case .merge:
      let names = (try? folder.names("cache")) ?? []
      if names.isEmpty { #expect(try run(tool.arguments).status == 0, comment) }
      try verify("cache")
      try checkWhole(folder, comment)
    case .sweep:
      try verify("cache")
      #expect(try run(tool.arguments).status == 0, comment)
      try verify("cache")
      #expect(try run(["run", "test.job"]).status == 0, comment)
      try checkWhole(folder, comment)
    case .repair:
      // Nothing is damaged any more where the first one came to its end.
      let result = try run(tool.arguments)
      #expect([0, 6].contains(result.status), "\(comment): \(result.output)\(result.messages)")
      #expect(try run(["run", "test.job"]).status == 0, comment)
      try verify("cache")
      try checkWhole(folder, comment)
    }
  }

  private func checkWhole(_ folder: TemporaryFolder, _ comment: Comment) throws {
    let found = try Device.files(folder.file("cache")).filter { !$0.key.hasPrefix(".") }
    #expect(found.mapValues(\.bytes) == whole, comment)
    // A merge that was killed after its last step leaves its empty folder to the next that takes the lock.
    if tool == .merge { try Self.succeed(["sweep", "cache"], in: folder) }
    let rest = try folder.names("cache.preheat/tmp")
    #expect(rest.isEmpty, "\(comment): \(rest)")
  }
}
