import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Plain JPEG files come to the same whether libjpeg-turbo has them alone or libvips around it.
@Suite(.timeLimit(.minutes(10))) struct EngineTests {
  static let steps: [[RenderStep]] = [
    [], [.resize(20, 20, crop: true)], [.resize(300, 300, .aspectFit)], [.thumbnail(9)],
    [.resize(31, 17), .circle(border: nil)],
  ]

  /// Both engines' results of one file, each as pixels.
  static func compare(
    _ bytes: [UInt8], _ steps: [RenderStep], isStrict: Bool = false, _ name: String
  ) throws {
    let results = RenderEngine.allCases.map { engine in
      Result { try render(bytes, steps, isStrict: isStrict, engine: engine) }
    }
    switch (results[0], results[1]) {
    case (.success(let first), .success(let second)):
      let (a, b) = (try first.image(), try second.image())
      #expect(a.width == b.width && a.height == b.height && a.bands == b.bands, "\(name), \(steps)")
      let difference = zip(a.samples, b.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(difference <= 1, "\(name), \(steps)")
    case (.failure(let first), .failure(let second)):
      #expect((first as? RenderFailure)?.code == (second as? RenderFailure)?.code, "\(name), \(steps)")
    default: Issue.record("\(name), \(steps): \(results)")
    }
  }

  @Test(.enabled(if: Corpus.isHere), arguments: ["orientation", "thumbnails", "odd"])
  func filesFromElsewhereComeToTheSame(part: String) throws {
    for (name, bytes) in try Corpus.files(part) where ImageFormat.sniff(bytes) == .jpeg {
      try Self.compare(bytes, Self.steps[1], name)
      try Self.compare(bytes, Self.steps[0], isStrict: true, name)
    }
  }

  @Test(.enabled(if: Corpus.isHere)) func photographsComeToTheSame() throws {
    for (name, bytes) in try Corpus.files("photos") where ImageFormat.sniff(bytes) == .jpeg {
      for side in [100.0, 700] { try Self.compare(bytes, [.resize(side, side)], name) }
    }
  }

  @Test(arguments: 1...8) func orientationsComeToTheSame(orientation: Int) throws {
    for bands in [1, 3] {
      let stored = TestPicture.gradient(61, 43, bands: bands).stored(as: orientation)
      let bytes = Exif.insert(Exif.block(orientation: orientation), into: try stored.jpeg())
      #expect(PlainJPEG(bytes)?.orientation == orientation)
      for steps in Self.steps { try Self.compare(bytes, steps, "orientation \(orientation)") }
    }
  }

  @Test(arguments: 1...17) func smallAndOddSizesComeToTheSame(width: Int) throws {
    for height in [1, 2, 7, 8, 15, 16, 17] {
      let bytes = try TestPicture.noise(width, height, bands: height % 2 == 0 ? 3 : 1).jpeg()
      #expect(PlainJPEG(bytes) != nil)
      for steps in [[], [RenderStep.resize(5, 5)]] {
        try Self.compare(bytes, steps, "\(width)x\(height)")
      }
    }
  }

  static let recipes = [
    "subsample-mode=off", "subsample-mode=on", "interlace=true", "restart-interval=1", "restart-interval=7",
    "interlace=true,restart-interval=3", "optimize-coding=true",
  ]

  @Test(arguments: recipes) func allKindsOfFilesComeToTheSameAtAllShrinks(recipe: String) throws {
    for bands in [1, 3] {
      let picture = try render(TestPicture.noise(67, 83, bands: bands).png(), []).image()
      let bytes = try picture.save("jpegsave_buffer", "Q=85", recipe)
      let plain = try #require(PlainJPEG(bytes))
      let source = VipsSource(bytes)
      for shrink in [1, 2, 4, 8] {
        let ours = try #require(plain.image(of: bytes, shrink: shrink))
        let theirs = try source.image(.jpeg, shrink: shrink, isStrict: true).inMemory()
        #expect((ours.width, ours.height) == (theirs.width, theirs.height))
        #expect(ours.samples == theirs.samples, "\(recipe) by \(shrink)")
        #expect(ours.isPlain)
      }
    }
  }

  @Test func aWrittenFileHasTheSameBytes() throws {
    for (bands, size) in [(1, 1), (3, 1), (1, 40), (3, 41), (3, 200)] {
      let image = try render(TestPicture.noise(size, size + 3, bands: bands).png(), []).image().inMemory()
      for quality in [1, 50, 89, 90, 100] {
        for chroma in [EncodingRecipe.Chroma.auto, .halved, .full] {
          for (isProgressive, optimizes) in [(false, false), (false, true), (true, true)] {
            let recipe = EncodingRecipe.Format.jpeg(
              .init(
                quality: quality, isProgressive: isProgressive, optimizesCoding: optimizes, chroma: chroma))
            #expect(
              try image.encoded(as: recipe, engine: .automatic)
                == image.encoded(as: recipe, engine: .libvips), "\(recipe) of \(bands) bands")
          }
        }
      }
    }
  }

  /// A whole chain, from file to file.
  @Test func aResultHasTheSameBytes() throws {
    let bytes = Exif.insert(Exif.block(orientation: 6), into: try TestPicture.noise(300, 211).jpeg())
    for steps in Self.steps {
      let results = try RenderEngine.allCases.map {
        try render(bytes, steps, .jpeg(quality: 80), engine: $0).bytes
      }
      #expect(results[0] == results[1])
    }
  }
}
