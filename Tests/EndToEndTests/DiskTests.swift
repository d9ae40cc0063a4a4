import Foundation
import TestSupport
import Testing

/// Disks that are full, files that may not grow, and folders that vanish.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
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
  func aFullDiskEndsTheRunAndTheNextOneCompletesIt(size: String) throws {
    let reference = try Scene.ordinary().warmed()
    let whole = try reference.files()

    let scene = try Scene.ordinary()
    for folder in ["disk", "after"] {
      try scene.folder.makeFolder(folder)
    }
    try scene.folder.remove("after")
    let result = try scene.run(
      ["--cache", "disk/cache"], wrapper: ["unshare", "-rm", "sh", "-c", Self.script, "sh"],
      environment: ["SIZE": size]
    ).expect(0, prints: "preheat: error:")
    try #require(result.status == 0)
    let status = { (name: String) in
      try scene.folder.text(name).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #expect(try status("first") == "9", "\(result.output)")
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
  }

  @Test(.enabled(if: Tracing.isPossible), arguments: [("write", 2), ("pwrite64", 2), ("pwrite64", 7)])
  func aWriteThatFindsNoSpaceIsMadeGoodByTheNextRun(call: String, number: Int) throws {
    let scene = try Scene.ordinary()
    let result = try scene.run(wrapper: Tracing.wrapper(call, number: number, fault: "error=ENOSPC")).expect(
      9)
    // The write that failed may have been the message's own.
    let says =
      result.messages.isEmpty || result.messages.contains("space") || result.messages.contains("full")
    #expect(says, "\(result.messages)")
    #expect(try scene.run().status == 0)
    #expect(try scene.entries().count == 24)
    #expect(scene.leftovers().isEmpty)
  }

  @Test(arguments: [8, 24, 48])
  func aLimitOnTheSizeOfFilesIsLikeAFullDisk(blocks: Int) throws {
    let scene = try Scene("\(Scene.images.appendingPathComponent("planets.gif").path) card original")
    let result = try scene.run(wrapper: ["bash", "-c", "ulimit -f \(blocks); exec \"$@\"", "bash"])
    #expect(result.status == 0 || result.status == 9, "\(result.status) \(result.messages)")
    #expect(try scene.entries().isEmpty || result.status == 0)
    #expect(try scene.run().status == 0)
    #expect(scene.leftovers().isEmpty)
  }

  @Test func fewDescriptorsAreEnough() throws {
    let server = try FaultServer(files: Scene.images)
    let lines = (0..<120).map { "\(server.url("/file/opaque.png?\($0)")) card" }
    let scene = try Scene(lines.joined(separator: "\n"))
    try scene.run(["-w", "2"], wrapper: ["bash", "-c", "ulimit -n 64; exec \"$@\"", "bash"]).expect(0)
    #expect(try scene.entries().count == 120)
  }

  @Test func aCacheFolderThatIsRemovedMeanwhileIsMadeAgain() throws {
    let server = try FaultServer()
    let scene = try Scene("\(Scene.logo) card\n\(server.url("/hang")) card")
    let running = try scene.start()
    #expect(try eventually { try server.count("/hang") > 0 && !scene.leftovers().isEmpty })
    try scene.folder.remove("cache")
    kill(running.process.processIdentifier, SIGINT)
    #expect(try running.wait().status == 130)
    #expect(try scene.entries().count == 1)
  }
}
