import Foundation
import TestSupport
import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct TrustedRootsTests {
  private let folder: TemporaryFolder
  private let roots: TrustedRoots

  init() throws {
    folder = try TemporaryFolder()
    for name in ["in/deep", "in-side", "out"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    for name in ["in/a", "in/deep/b", "in-side/c", "out/d"] {
      try Data(name.utf8).write(to: folder.file(name))
    }
    roots = try TrustedRoots([folder.path + "/in/../in/"])
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: target)
  }

  /// What is read under a name, nil where it is refused.
  private func read(_ name: String) -> String? {
    guard let descriptor = try? roots.open(folder.path + "/" + name) else { return nil }
    return String(
      decoding: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).availableData, as: UTF8.self)
  }

  @Test func aPathCountsWhereItLeads() throws {
    try link("in/down", to: "deep/b")
    try link("out/back", to: folder.path + "/in/a")
    try link("in/away", to: "../out/d")
    try link("in/elsewhere", to: folder.path + "/out")
    try link("in/nowhere", to: folder.path + "/out/new")
    for (name, text) in [
      ("in/a", "in/a"), ("in/deep/../a", "in/a"), ("in/down", "in/deep/b"), ("out/back", "in/a"),
    ] {
      #expect(read(name) == text && roots.holds(folder.path + "/" + name), "\(name)")
    }
    for name in [
      "out/d", "in-side/c", "in/../out/d", "in/away", "in/elsewhere/d", "in/nowhere", "in/nowhere/x",
      "in/new/../../out/d",
    ] {
      #expect(read(name) == nil && !roots.holds(folder.path + "/" + name), "\(name)")
    }
    #expect(!roots.holds("/etc/passwd") && !roots.holds("/proc/self/environ") && !roots.holds(""))
  }

  @Test func whatIsNotThereYetCountsByItsName() {
    #expect(roots.holds(folder.path + "/in/new/cache"))
    #expect(!roots.holds(folder.path + "/out/new/cache"))
    #expect(!roots.holds("new/cache"))
  }

  /// Of what lies elsewhere a message says the same, whether it is there or not, a folder, or not to be entered.
  @Test func nothingTellsWhatIsElsewhere() throws {
    try link("in/elsewhere", to: folder.path + "/out")
    try link("in/dangling", to: folder.path + "/out/new")
    for name in [
      "out", "out/d", "out/d/x", "out/new", "new/x", "in/elsewhere/d", "in/elsewhere/e", "in/dangling",
    ] {
      let failure = #expect(throws: SystemCall.Failure.self) { try roots.open(folder.path + "/" + name) }
      #expect(failure?.reason == "it is outside of the trusted folders", "\(name)")
    }
    // Nor does a way through it.
    for way in ["out/../in/a", "new/../in/a", "in/elsewhere/../a", "in/none/../a"] {
      #expect(read(way) == "in/a" && roots.holds(folder.path + "/" + way), "\(way)")
    }
    let missing = #expect(throws: SystemCall.Failure.self) { try roots.open(folder.path + "/in/new") }
    #expect(missing?.errno == ENOENT)
  }

  @Test func theMessageSaysWhy() throws {
    let failure = #expect(throws: SystemCall.Failure.self) { try roots.open("/etc/passwd") }
    #expect(failure?.message == "cannot read /etc/passwd: it is outside of the trusted folders")
    #expect(throws: SystemCall.Failure.self) { try TrustedRoots(["/no/such/folder"]) }
    #expect(try TrustedRoots(["/"]).holds("/etc/passwd"))
  }
}
