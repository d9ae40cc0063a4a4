import Foundation
import Pictures
import TestSupport
import Testing

/// Renderers that are not there, do not work or do not answer.
@Suite(.timeLimit(.minutes(10)))
struct WorkerFailureTests {
  static let renderers: [(script: String, codes: Set<String>)] = [
    ("exit 1", ["render.crash"]), ("exit 127", ["render.worker"]), ("exit 71", ["image.memory"]),
    ("exit 72", ["render.processes"]),
    ("kill -SEGV $$", ["render.crash"]), ("kill -KILL $$", ["image.memory"]),
    // It may be gone before the request is written, or not.
    ("echo this is no answer", ["render.worker", "render.crash"]),
    ("exec cat /dev/zero", ["render.worker"]), ("exec sleep 600", ["render.timeout"]),
  ]

  @Test(arguments: renderers)
  func aRendererThatFailsIsNamed(script: String, codes: Set<String>) async throws {
    try await OwnThread {
      let logo = Scene.images.appendingPathComponent("logo.png").path
      let scene = try Scene("\(logo) card original circle")
      let renderer = scene.folder.file("renderer")
      try Data("#!/bin/bash\n\(script)\n".utf8).write(to: renderer)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: renderer.path)
      let processes = Processes()
      let result = try scene.run(
        ["--json", "--render-timeout", "2"],
        environment: processes.environment.merging(["PREHEAT_RENDER": renderer.path]) { $1 })
      let objects = try result.objects()
      let seen = objects.compactMap { ($0["error"] as? [String: Any])?["code"] as? String }
      #expect(!seen.isEmpty && codes.isSuperset(of: seen), "\(result.output)")
      // Only the lack of processes may be over when it is tried again.
      #expect(result.status == (codes == ["render.processes"] ? 5 : 4))
      #expect(try scene.entries().isEmpty)
      #expect(eventually { processes.living().isEmpty })
    }.value
  }

  @Test(arguments: ["/nonexistent/preheat-render", "/etc/passwd", "/tmp"])
  func aRendererThatIsNoProgramIsReportedBeforeAnythingIsDone(path: String) throws {
    let scene = try Scene("/nowhere.png card")
    let result = try scene.run(environment: ["PREHEAT_RENDER": path])
    #expect(result.status == 1)
    #expect(result.messages.contains(path) && result.messages.contains("PREHEAT_RENDER"))
    #expect(!FileManager.default.fileExists(atPath: scene.folder.file("cache").path))
  }

  /// What libvips has in a plug-in is there for the first picture that needs it, whatever its worker drew before, and for
  /// the pictures behind it.
  @Test func aPlugInIsOpenedForThePictureThatNeedsIt() async throws {
    try await OwnThread {
      let logo = Scene.images.appendingPathComponent("logo.png").path
      let made = try Scene("\(logo) card resize(width: 61) resize(width: 62)")
      let result = try made.run(["--encode", "avif(quality: 50)", "--workers", "1"])
      let pictures = try made.entries().values.filter { ImageFormat.sniff($0) == .avif }
      // This system's libheif may have no encoder; the plug-in was asked, then.
      guard result.status == 0 else { return #expect(result.messages.contains("AVIF")) }
      #expect(pictures.count == 3)

      let scene = try Scene("")
      var lines = ["\(logo) card original id=before"]
      for (index, picture) in pictures.enumerated() {
        let file = scene.folder.file("\(index).avif")
        try picture.write(to: file)
        lines += ["\(file.path) card", "\(logo) card id=\(index)"]
      }
      try scene.write(lines.joined(separator: "\n"))
      let flags = ["--workers", "1", "--check", "decode", "--allow-format", "avif", "--json"]
      let read = try scene.run(flags)
      #expect(read.status == 0, "\(read.output)")
      let refused = try Scene(lines[1]).run(["--json"])
      #expect(refused.status != 0)
    }.value
  }
}
