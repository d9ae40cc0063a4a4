import Foundation
import TestSupport
import Testing

/// Disks that are full, files that may not grow, and folders that vanish.
@Suite(.timeLimit(.minutes(10)))
struct DiskTests {
  private static let canMount = Tracing.succeeds(
    ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"])

  /// In a mount namespace of its own: a run on a small disk, a copy of what it left, a larger disk, a
  /// second run and a copy of that.
  private static let script = """
    mount -t tmpfs -o size="$SIZE" none disk || exit 77
    "$@" 2>&1; echo $? > first
    cp -a disk/cache after
    mount -o remount,size=64m disk || exit 77
    "$@" > again 2>&1; echo $? > second
    cp -a disk/cache cache; cp -a disk/cache.preheat .
    """

  @Test(.enabled(if: canMount), arguments: ["12k", "48k", "96k", "160k"])
  func aFullDiskEndsTheRunAndTheNextOneCompletesIt(size: String) async throws {
    try await OwnThread {
      let reference = try Scene.ordinary()
      #expect(try reference.run().status == 0)
      let whole = try reference.files()

      let scene = try Scene.ordinary()
      for folder in ["disk", "after"] {
        try FileManager.default.createDirectory(
          at: scene.folder.file(folder), withIntermediateDirectories: false)
      }
      try FileManager.default.removeItem(at: scene.folder.file("after"))
      let result = try scene.run(
        ["--cache", "disk/cache"], wrapper: ["unshare", "-rm", "sh", "-c", Self.script, "sh"],
        environment: ["SIZE": size])
      try #require(result.status == 0)
      let status = { (name: String) in
        try String(contentsOf: scene.folder.file(name), encoding: .utf8).trimmingCharacters(
          in: .whitespacesAndNewlines)
      }
      #expect(try status("first") == "9", "\(result.output)")
      #expect(result.output.contains("preheat: error:"))
      // Each rendition is one file, and a file that found no room was not written.
      if let wrote = result.output.firstMatch(of: /wrote (\d+) file/)?.1 {
        #expect(result.output.contains(": \(wrote) made"), "\(result.output)")
      }
      for (name, bytes) in try scene.files(in: "after") where !name.hasPrefix(".") {
        #expect(bytes == whole[name])
      }
      #expect(try status("second") == "0")
      #expect(try scene.files() == whole)
      #expect(scene.leftovers().isEmpty)
    }.value
  }

  @Test(.enabled(if: Tracing.isPossible), arguments: [("write", 2), ("pwrite64", 2), ("pwrite64", 7)])
  func aWriteThatFindsNoSpaceIsMadeGoodByTheNextRun(call: String, number: Int) async throws {
    try await OwnThread {
      let scene = try Scene.ordinary()
      let result = try scene.run(wrapper: Tracing.wrapper(call, number: number, fault: "error=ENOSPC"))
      #expect(result.status == 9, "\(result.output)\(result.messages)")
      // The write that failed may have been the message's own.
      let says =
        result.messages.isEmpty || result.messages.contains("space") || result.messages.contains("full")
      #expect(says, "\(result.messages)")
      #expect(try scene.run().status == 0)
      #expect(try scene.entries().count == 24)
      #expect(scene.leftovers().isEmpty)
    }.value
  }

  @Test(arguments: [8, 24, 48])
  func aLimitOnTheSizeOfFilesIsLikeAFullDisk(blocks: Int) async throws {
    try await OwnThread {
      let scene = try Scene("\(Scene.images.appendingPathComponent("planets.gif").path) card original")
      let result = try scene.run(wrapper: ["bash", "-c", "ulimit -f \(blocks); exec \"$@\"", "bash"])
      #expect(result.status == 0 || result.status == 9, "\(result.status) \(result.messages)")
      #expect(try scene.entries().isEmpty || result.status == 0)
      #expect(try scene.run().status == 0)
      #expect(scene.leftovers().isEmpty)
    }.value
  }

  @Test func fewDescriptorsAreEnough() async throws {
    try await OwnThread {
      let server = try FaultServer(files: Scene.images)
      let lines = (0..<120).map { "\(server.url("/file/opaque.png?\($0)")) card" }
      let scene = try Scene(lines.joined(separator: "\n"))
      let result = try scene.run(
        ["-w", "2"], wrapper: ["bash", "-c", "ulimit -n 64; exec \"$@\"", "bash"])
      #expect(result.status == 0, "\(result.output.prefix(500))")
      #expect(try scene.entries().count == 120)
    }.value
  }

  @Test func aCacheFolderThatIsRemovedMeanwhileIsMadeAgain() async throws {
    try await OwnThread {
      let server = try FaultServer()
      let logo = Scene.images.appendingPathComponent("logo.png").path
      let scene = try Scene("\(logo) card\n\(server.url("/hang")) card")
      let running = try scene.start()
      #expect(try eventually { try server.count("/hang") > 0 && !scene.leftovers().isEmpty })
      try FileManager.default.removeItem(at: scene.folder.file("cache"))
      kill(running.process.processIdentifier, SIGINT)
      #expect(try running.wait().status == 130)
      #expect(try scene.entries().count == 1)
    }.value
  }
}
