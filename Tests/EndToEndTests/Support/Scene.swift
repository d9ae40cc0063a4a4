import Foundation
import TestSupport
import Testing

/// A folder with a job and its cache, and the command to run on it.
struct Scene {
  let folder: TemporaryFolder

  static let images = Fixtures.folder.appendingPathComponent("images")
  static let logo = images.appendingPathComponent("logo.png").path
  static let head = "client nuke 12\ncache cache\nallow-private 127.0.0.1\nchain card = resize(width: 60)\n"

  /// - Parameter lines: The entries, from line 5 on.
  init(_ lines: String, head: String = Self.head) throws {
    folder = try TemporaryFolder()
    try write(lines, head: head)
  }

  func write(_ lines: String, head: String = Self.head, to name: String = "test.job") throws {
    try folder.write("\(head)\(lines)\n", to: name)
  }

  /// Pictures from files, with keys of their own, which are the same in every scene: 24 renditions of 4 sources.
  static let ordinaryLines = ["mountains.jpg", "logo.png", "balloons.webp", "portrait-6.jpg"].map { name in
    let chains = (1..<6).map { " resize(width: \(60 + $0))" }.joined()
    return "\(images.appendingPathComponent(name).path) card\(chains) id=\(name)"
  }

  static func ordinary() throws -> Scene { try Scene(ordinaryLines.joined(separator: "\n")) }

  /// Any command, in the folder.
  func preheat(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:], wrapper: [String] = []
  ) throws -> BuiltCommand.Result {
    try BuiltCommand.run(
      arguments, in: folder.url, input: input, environment: environment, wrapper: wrapper)
  }

  func preheat(_ arguments: String...) throws -> BuiltCommand.Result { try preheat(arguments) }

  /// After a run of its job.
  func warmed() throws -> Scene {
    try run().expect(0)
    return self
  }

  func run(
    _ arguments: [String] = [], wrapper: [String] = [], environment: [String: String] = [:]
  ) throws -> BuiltCommand.Result {
    try BuiltCommand.run(
      ["run", "test.job", "--retries", "0"] + arguments, in: folder.url, environment: environment,
      wrapper: wrapper)
  }

  func start(
    _ arguments: [String] = [], wrapper: [String] = [], environment: [String: String] = [:]
  ) throws -> BuiltCommand.Running {
    try BuiltCommand.start(
      ["run", "test.job", "--retries", "0"] + arguments, in: folder.url, environment: environment,
      wrapper: wrapper)
  }

  /// Peak of the command's own resident memory in KB, into the file `peak`, and its processor time in seconds, into `cpu`.
  static let measured = [
    "python3", "-c",
    """
    import os, sys
    child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
    _, status, usage = os.wait4(child, 0)
    open("peak", "w").write(str(usage.ru_maxrss))
    open("cpu", "w").write(str(usage.ru_utime + usage.ru_stime))
    open("user", "w").write(str(usage.ru_utime))
    sys.exit(os.waitstatus_to_exitcode(status))
    """,
  ]

  /// All that is in the cache folder, hidden files too, by name.
  func files(in cache: String = "cache") throws -> [String: Data] {
    let url = folder.file(cache)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: url.appendingPathComponent($0))) })
  }

  /// The entries of the cache: what the app would find.
  func entries() throws -> [String: Data] { try files().filter { !$0.key.hasPrefix(".") } }

  /// Names of the entries; unlike ``entries()`` this reads no file, and so moves no access date.
  func names() throws -> [String] {
    try folder.names("cache").filter {
      !$0.hasPrefix(".")
    }
  }

  /// Unfinished files in the state folder.
  func leftovers() -> [String] {
    (try? folder.names("cache.preheat/tmp")) ?? []
  }
}

extension TemporaryFolder {
  /// What a measured command took.
  func peak() throws -> Int { try Int(text("peak")) ?? .max }
}
