import Testing

/// Sizes of nothing: their keys are the client's, so they are told, and a run does not even fetch for them.
@Suite(.timeLimit(.minutes(10))) struct NothingToDrawTests {
  static let chains: [(String, String, Int)] = [
    ("nuke 12", "resize(width: 0, unit: pixels)", 1), ("nuke 12", "resize(size: -5x0, unit: pixels)", 1),
    ("nuke 12", "thumbnail(maxPixelSize: 0)", 1),
    ("nuke 12", "circle | resize(size: 0x9, unit: pixels, crop: true)", 10),
    ("kingfisher 8", "resizing(referenceSize: 0x0)", 1), ("kingfisher 8", "downsampling(size: -1x-1)", 1),
    ("kingfisher 8", "cropping(size: 5x0)", 1),
    ("kingfisher 8", "roundCorner(cornerRadius: 0, targetSize: 0x4)", 1),
  ]

  @Test(arguments: chains) func theyAreToldAtTheirPlace(client: String, chain: String, column: Int)
    async throws
  {
    let scene = try CommandScene()
    let job = try scene.job(
      client: client, lines: ["style options", "chain bad = \(chain)", "https://e.com/1.jpg bad"])
    let lines = client.hasPrefix("nuke") ? ["chain bad = \(chain)", "https://e.com/1.jpg bad"] : nil
    if let lines { try scene.job(client: client, lines: lines) }
    let outcome = try await scene.preheat("plan", "--rows", job).expect(
      0, " cannot be drawn: ",
      prints: "note: no picture has this size: it is 0 or less, under a pixel or infinite")
    let line = lines == nil ? 4 : 3
    #expect(outcome.messages.contains("catalog.job:\(line):\(12 + column): warning: "), "\(outcome.messages)")
    #expect(outcome.messages.contains("\n  \(String(repeating: " ", count: 11 + column))^\n"))
    try await scene.preheat("run", job, "--retries=0", "--json").expect(4, prints: "\"plan.not-drawable\"")
    try await scene.preheat("key", "--client", client, "https://e.com/1.jpg", chain, "--scale=1").expect(
      0, "(arguments):1:\(22 + column): warning:")
  }

  static let drawable: [(String, String)] = [
    ("nuke 12", "resize(size: 0x100, unit: pixels)"), ("nuke 12", "gaussianBlur(radius: -3)"),
    ("nuke 12", "thumbnail(size: 120x0, unit: pixels)"),
    ("nuke 12", "roundedCorners(radius: 0, unit: pixels)"),
    ("kingfisher 8", "blur(blurRadius: -1)"),
    ("kingfisher 8", "resizing(referenceSize: 0x9, mode: aspectFill)"),
    ("nuke 12", "custom(\"x\")"),
  ]

  @Test(arguments: drawable) func whatTheClientDrawsIsLeftAlone(client: String, chain: String) async throws {
    try await Outcome(of: ["key", "--client", client, "https://e.com/1.jpg", chain, "--scale=1"]).expect(
      0, lacks: "nothing can be drawn")
  }
}
