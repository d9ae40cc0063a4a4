import JobFile
import Syntax
import Text

/// What is wrong with a job that has sizes in points and names no screen scale: counted line by line, reported once.
struct MissingScale {
  private var count = 0
  private var first: (row: Plan.Row, variant: ChainVariant)?

  mutating func count(_ row: Plan.Row, _ variant: ChainVariant) {
    guard variant.form.dependsOnScale else { return }
    count += 1
    if first == nil { first = (row, variant) }
  }

  func warning(_ plan: Plan) -> Diagnostic? {
    guard let first, case .unknown(let advice) = plan.client.scale(ofKey: plan.baseKey(of: first.row)) else {
      return nil
    }
    let own = first.variant.form.suffix
    let asked = plan.client(of: first.variant).form(of: plan.chains[first.variant.chain].chain, scale: 3)
      .suffix
    let renditions = "\(NumberText.count(count, "rendition")) \(count == 1 ? "has" : "have")"
    let why =
      own == asked
      ? "drawn at one pixel a point, too coarse for a 3x screen, whose key is the same"
      : "the keys are those of a 1x screen, such as …\(own.text), where an app at 3x asks for …\(asked.text)"
    return Diagnostic(
      .warning, file: plan.files[Int(first.row.file)], line: Int(first.row.line), column: 1,
      message: "no scale is set, and \(renditions) sizes in points: \(why)", help: advice,
      isVital: true)
  }
}

/// Counts the lines of a job whose keys are paths of this machine: one warning for all of them.
struct LocalKeys {
  private var count = 0
  private var first: JobLine?

  /// Takes a line without `id=`.
  mutating func note(_ line: JobLine) {
    count += 1
    if first == nil { first = line }
  }

  var warning: Diagnostic? {
    guard let first else { return nil }
    let what =
      count == 1
      ? "the key of this source is a path" : "the keys of \(count) sources, this one the first, are paths"
    return Diagnostic(
      .warning, file: first.file, line: first.line, column: 1,
      message: "\(what) of this machine, which no app on a device asks for",
      help: "give it the app's own key with id=, for example id=logo", isVital: true)
  }
}
