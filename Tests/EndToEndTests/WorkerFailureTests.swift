import Foundation
import Pictures
import Testing

/// Renderers that are not there, do not work or do not answer.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
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
  func aRendererThatFailsIsNamed(script: String, codes: Set<String>) throws {
    let scene = try Scene("\(Scene.logo) card original circle")
    let renderer = scene.folder.file("renderer")
    try scene.folder.writeProgram("#!/bin/bash\n\(script)\n", to: "renderer")
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
  }

  @Test(arguments: ["/nonexistent/preheat-render", "/etc/passwd", "/tmp"])
  func aRendererThatIsNoProgramIsReportedBeforeAnythingIsDone(path: String) throws {
    let scene = try Scene("/nowhere.png card")
    try scene.run(environment: ["PREHEAT_RENDER": path]).expect(1, path, "PREHEAT_RENDER")
    #expect(!scene.folder.has("cache"))
  }

  /// What libvips has in a plug-in is there for the first picture that needs it, whatever its worker drew before, and for
  /// the pictures behind it.
  @Test func aPlugInIsOpenedForThePictureThatNeedsIt() throws {
    let made = try Scene("\(Scene.logo) card resize(width: 61) resize(width: 62)")
    let result = try made.run(["--encode", "avif(quality: 50)", "--workers", "1"])
    let pictures = try made.entries().values.filter { ImageFormat.sniff($0) == .avif }
    // This system's libheif may have no encoder; the plug-in was asked, then.
    guard result.status == 0 else { return #expect(result.messages.contains("AVIF")) }
    #expect(pictures.count == 3)

    let scene = try Scene("")
    var lines = ["\(Scene.logo) card original id=before"]
    for (index, picture) in pictures.enumerated() {
      let file = scene.folder.file("\(index).avif")
      try picture.write(to: file)
      lines += ["\(file.path) card", "\(Scene.logo) card id=\(index)"]
    }
    try scene.write(lines.joined(separator: "\n"))
    let flags = ["--workers", "1", "--check", "decode", "--allow-format", "avif", "--json"]
    try scene.run(flags).expect(0)
    let refused = try Scene(lines[1]).run(["--json"])
    #expect(refused.status != 0)
  }
}
