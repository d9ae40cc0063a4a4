import JobFile
import JobSupport
import Testing

/// No iPhone has a 1x screen, so keys in points at 1x are keys that no app asks for.
@Suite(.timeLimit(.minutes(10)))
struct MissingScaleTests {
  private func warnings(
    _ lines: String, client: String = "nuke 12", scale: String? = nil, environment: [String: String] = [:]
  ) throws -> [String] {
    var overrides = GivenSettings()
    if let scale { overrides["scale"] = scale }
    let planned = Preheat.plan(
      "client \(client)\ncache out\n\(lines)\n", overrides: overrides, environment: environment)
    #expect(planned.plan != nil, "\(planned.errors)")
    // Others are about styles, and about releases that draw in their own way.
    return planned.warnings.filter { $0.hasPrefix("no scale is set") }
  }

  @Test func keysInPointsAreToldOnceWithWhatAnAppAsksFor() throws {
    let warnings = try warnings(
      "https://e.com/0.jpg original\nhttps://e.com/1.jpg resize(width: 10)\nhttps://e.com/2.jpg resize(width: 20)"
    )
    #expect(
      warnings == [
        "no scale is set, and 2 renditions have sizes in points: they are taken for those of a 1x screen"
      ])
  }

  @Test(arguments: [
    "resize(size: 4x4, unit: pixels)", "thumbnail(maxPixelSize: 64)", "circle", "original",
    "roundedCorners(radius: 3, unit: pixels)", "gaussianBlur(radius: 3)",
  ])
  func whatIsInPixelsNeedsNoScale(chain: String) throws {
    #expect(try warnings("https://e.com/1.jpg \(chain)") == [])
  }

  @Test(arguments: [
    "resize(width: 9)", "roundedCorners(radius: 3)", "circle(border: (color: #000000))",
    "thumbnail(size: 9x9)", "resize(width: 9) as \"com.example.small\"",
  ])
  func whateverIsInPointsIsTold(chain: String) throws {
    #expect(try warnings("https://e.com/1.jpg \(chain)").count == 1)
  }

  /// Nuke's own scale on macOS and visionOS is 1.
  @Test func aScaleThatSomebodyNamesIsRight() throws {
    let line = "https://e.com/1.jpg resize(width: 9)"
    #expect(try warnings("scale 1\n" + line) == [])
    #expect(try warnings(line, scale: "1") == [])
    #expect(try warnings(line, environment: ["PREHEAT_SCALE": "3"]) == [])
  }

  /// The key does not hold the scale; only the pixels do.
  @Test func kingfishersKeysStayAndItsPixelsAreTold() throws {
    let client = "kingfisher 8"
    #expect(try warnings("https://e.com/1.jpg downsampling(size: 9x9)", client: client).count == 1)
    // A blur grows with the scale.
    #expect(try warnings("https://e.com/1.jpg blur(blurRadius: 4)", client: client).count == 1)
    #expect(try warnings("https://e.com/1.jpg blackWhite", client: client) == [])
    #expect(
      try warnings("https://e.com/1.jpg roundCorner(radius: widthFraction(0.5))", client: client) == [])
    #expect(try warnings("scale 1\nhttps://e.com/1.jpg downsampling(size: 9x9)", client: client) == [])
  }
}

/// A size that was rounded on its way into the job has a key that no app asks for.
@Suite(.timeLimit(.minutes(10)))
struct RoundedSizeTests {
  @Test(arguments: [
    ("nuke 12", "scale 2 3", "resize(size: 106.67x60)", "106.67 points are 320.01 pixels at 3x"),
    ("nuke 12", "scale 2", "resize(width: 186.51)", "186.51 points are 373.02 pixels at 2x"),
    ("nuke 12", "scale 2", "resize(size: 106.67x60)", nil),
    ("nuke 12", "scale 3", "resize(size: 106.67x60, unit: pixels)", nil),
    ("nuke 12", "scale 2 3", "resize(size: 60*16/9x60)", nil),
    ("nuke 12", "scale 3", "resize(width: 106.6)", nil),
    ("nuke 12", "scale 1", "resize(width: 106.99)", nil),
  ])
  func itIsNamedWithWhatToWrite(client: String, scale: String, chain: String, message: String?) throws {
    let planned = Preheat.plan("client \(client)\ncache out\n\(scale)\nhttps://e.com/1.jpg \(chain)\n")
    #expect(planned.plan != nil, "\(planned.errors)")
    let found = planned.warnings.filter { $0.contains("asks for another key") }
    #expect(found.count == (message == nil ? 0 : 1), "\(planned.warnings)")
    if let message { #expect(found.first?.hasPrefix(message) == true, "\(found)") }
  }
}
