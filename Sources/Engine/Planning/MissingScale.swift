import ClientKit
import Syntax
import Text

/// What is wrong with a job that has sizes in points and names no screen scale: counted line by line, told once.
struct MissingScale {
  private var count = 0
  private var first: (row: Plan.Row, variant: ChainVariant)?

  mutating func count(_ row: Plan.Row, _ variant: ChainVariant) {
    guard variant.form.dependsOnScale else { return }
    count += 1
    if first == nil { first = (row, variant) }
  }

  /// - Parameters:
  ///   - chain: looks up the chain of the first rendition that is concerned.
  ///   - baseKey: looks up its base key.
  func warning(
    files: [String], client: any KeyClient, chain: (Int) -> Chain, baseKey: (Plan.Row) -> String
  ) -> Diagnostic? {
    guard let first, case .unknown(let advice) = client.scale(ofKey: baseKey(first.row)) else { return nil }
    let own = first.variant.form.suffix
    let asked = client.form(of: chain(first.variant.chain), scale: 3).suffix
    let renditions = "\(NumberText.count(count, "rendition")) \(count == 1 ? "has" : "have")"
    let why =
      own == asked
      ? "drawn at one pixel a point, too coarse for a 3x screen, whose key is the same"
      : "the keys are those of a 1x screen, such as …\(own.text), where an app at 3x asks for …\(asked.text)"
    return Diagnostic(
      .warning, file: files[Int(first.row.file)], line: Int(first.row.line), column: 1,
      message: "no scale is set, and \(renditions) sizes in points: \(why)", help: advice)
  }
}
