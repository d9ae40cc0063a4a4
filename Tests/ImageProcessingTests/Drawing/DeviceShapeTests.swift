import Foundation
import TestSupport
import Testing

@testable import Pictures

/// Shapes as Core Graphics draws them, to a level.
@Suite(.timeLimit(.minutes(10))) struct DeviceShapeTests {
  /// The top left corner of a shape as a reference implementation draws it.
  struct Golden: CustomStringConvertible {
    var shape: String
    var radius, inset, width: Double
    var alphas: [[Int]]

    init(_ row: [String: String]) throws {
      func number(_ column: String) throws -> Double { try #require(row[column].flatMap(Double.init)) }
      shape = try #require(row["shape"])
      (radius, inset, width) = try (number("radius"), number("inset"), number("width"))
      let side = try Int(number("side"))
      alphas = try #require(row["rows"]).split(separator: ";").map { row in
        let parts = row.split(separator: ".")
        let digits = Array(parts[1])
        let shown = stride(from: 0, to: digits.count, by: 2).compactMap {
          Int(String(digits[$0...$0 + 1]), radix: 16)
        }
        let all = Array(repeating: 0, count: try #require(Int(parts[0]))) + shown
        return all + Array(repeating: all[all.count - 1], count: side - all.count)
      }
    }

    var description: String { "\(shape) \(radius) at \(inset), \(width)" }

    /// A line alone: first nothing is left of the picture.
    private var outlined: [RenderStep] {
      let line = RenderStep.Framing.Line(
        inset: inset - width / 2, width: width, radius: radius + width / 2, color: .red)
      return [
        .framing(inset: 1000, radius: 0, corners: .all, line: nil),
        .framing(inset: 0, radius: 0, corners: .all, line: line),
      ]
    }

    /// Draws the shape and nothing else, on a canvas of this side.
    var drawing: (side: Int, steps: [RenderStep]) {
      let roomy = 2 * alphas.count + 10
      return switch shape {
      case "arcs": (roomy, [.roundedCorners(radius: radius, border: nil)])
      case "continuous":
        (roomy, [.framing(inset: inset, radius: radius, corners: .all, line: nil)])
      case "around": (roomy, outlined)
      // Round a circle, which is as large as its canvas allows.
      default: (Int(2 * (radius + inset)), outlined)
      }
    }
  }

  private static let goldens = Result { try Fixtures.table("shapes.tsv").map(Golden.init) }

  @Test func cornersHaveTheAlphaOfTheReference() throws {
    let goldens = try Self.goldens.get()
    #expect(goldens.count == 23)
    for golden in goldens where golden.shape != "border" {
      let (side, steps) = golden.drawing
      let drawn = try Drawn(.plain(side, side, [9, 9, 9]), steps)
      let count = min(golden.alphas.count, side / 2)
      var most = 0
      for y in 0..<count {
        for x in 0..<count {
          let wanted = golden.alphas[y][x]
          for (x, y) in [(x, y), (side - 1 - x, y), (x, side - 1 - y), (side - 1 - x, side - 1 - y)] {
            most = max(most, abs(drawn.alpha(x, y) - wanted))
          }
        }
      }
      // Round a continuous corner the reference is the true distance, without chords.
      #expect(most <= (golden.shape == "around" ? 10 : 1), "\(golden)")
    }
  }

  @Test func roundedCornersWithUIKitAreContinuousUntilASideHasNoRoomForThem() throws {
    func corner(_ radius: Double) throws -> [UInt8] {
      let step = RenderStep.cornerRounding(
        radius: .pixels(radius), corners: .all, target: nil, background: nil)
      return try Drawn(.plain(60, 80, [9, 9, 9]), [step]).image.samples
    }
    let circle = try Drawn(
      .plain(60, 80, [9, 9, 9]), [.roundedCorners(radius: 30, border: nil)]
    ).image.samples
    #expect(try corner(30) == circle && corner(19.7) == circle)
    #expect(try corner(19.6) != circle)
  }

  /// The border's inner edge is an arc of its own, and the border comes over the edge of the clipped picture.
  @Test func aBorderIsStrokedOverTheClippedPicture() throws {
    for golden in try Self.goldens.get() where golden.shape == "border" {
      let (source, radius) = (TestPicture.plain(90, 80, [0, 0, 255]), golden.radius)
      let border = RenderStep.Border(width: golden.width, color: .red)
      let drawn = try Drawn(source, [.roundedCorners(radius: radius, border: border)])
      let shape = try Drawn(source, [.roundedCorners(radius: radius, border: nil)])
      for y in golden.alphas.indices {
        for x in golden.alphas.indices {
          let (clip, share) = (shape.alpha(x, y), golden.alphas[y][x])
          if clip == 255 {
            #expect(isNear(drawn.pixel(x, y), [share, 0, 255 - share, 255]), "\(x), \(y)")
          } else {
            #expect(abs(drawn.alpha(x, y) - (clip + clip * (255 - clip) / 255)) <= 1, "\(x), \(y)")
          }
        }
      }
    }
  }
}
