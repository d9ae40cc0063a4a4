import Testing

@testable import ImageProcessing
@testable import Pictures

@Suite(.timeLimit(.minutes(10))) struct BoxBlurTests {
  /// Averages as anyone would write them, rounded to bytes after each pass as vImage does.
  private func reference(_ picture: TestPicture, width: Int, passes: Int) -> TestPicture {
    var result = picture
    for _ in 0..<passes {
      let before = result
      result = TestPicture(picture.width, picture.height, bands: picture.bands) { x, y, band in
        var sum = 0
        for dy in -width / 2...width / 2 {
          for dx in -width / 2...width / 2 {
            let (column, row) = (
              min(max(x + dx, 0), before.width - 1), min(max(y + dy, 0), before.height - 1)
            )
            sum += Int(before.samples[(row * before.width + column) * before.bands + band])
          }
        }
        return (sum * 2 + width * width) / (2 * width * width)
      }
    }
    return result
  }

  private func blur(_ width: Int, _ passes: Int, keepsOpaque: Bool = true) -> RenderStep {
    .boxBlur(width: width, passes: passes, keepsOpaque: keepsOpaque)
  }

  @Test(arguments: [(1, 3), (3, 1), (5, 1), (5, 3), (9, 3), (31, 3)], [1, 3])
  func itAveragesSquaresAndGoesOnAtTheEdges(box: (width: Int, passes: Int), bands: Int) throws {
    let picture = TestPicture.noise(23, 11, bands: bands)
    let drawn = try Drawn(picture, [blur(box.width, box.passes)])
    #expect(drawn.image.samples == reference(picture, width: box.width, passes: box.passes).samples)
  }

  @Test func coloursCountAsMuchAsTheyCanBeSeen() throws {
    // Red that cannot be seen beside blue that can.
    let picture = TestPicture(20, 4, bands: 4) { x, _, band in
      (x < 10 ? [255, 0, 0, 0] : [0, 0, 255, 255])[band]
    }
    let drawn = try Drawn(picture, [blur(5, 1)])
    #expect(drawn.pixel(9, 1) == [0, 0, 255, 102])
    #expect(drawn.pixel(7, 1)[3] == 0)
    #expect(drawn.pixel(12, 1) == [0, 0, 255, 255])
  }

  @Test func onlyAClientThatLosesOpaquenessAddsAlpha() throws {
    let picture = TestPicture.gradient(9, 9)
    #expect(try Drawn(picture, [blur(3, 3)]).image.bands == 3)
    let withAlpha = try Drawn(picture, [blur(3, 3, keepsOpaque: false)])
    #expect(withAlpha.image.bands == 4)
    #expect(withAlpha.alpha(0, 0) == 255)
  }

  @Test func theWidestBoxDoesNotOverflow() throws {
    let drawn = try Drawn(.plain(3, 2, [255, 254, 1]), [blur(2901, 3)])
    #expect(drawn.pixel(1, 1) == [255, 254, 1])
  }
}
