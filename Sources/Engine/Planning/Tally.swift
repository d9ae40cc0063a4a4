import JobFile
import Syntax
import Text

/// What of a job deserves one warning for all of it: how often it was met, and where first.
struct Tally<Place> {
  private(set) var count = 0
  private(set) var first: Place?

  mutating func note(_ place: Place) {
    count += 1
    first = first ?? place
  }
}

extension Tally where Place == Plan.Row {
  /// What is wrong with a job that has sizes in points and names no screen scale.
  func missingScale(_ plan: Plan) -> Diagnostic? {
    guard let first, case .unknown(let advice) = plan.client.scale(ofKey: plan.baseKey(of: first)) else {
      return nil
    }
    let renditions = "\(NumberText.count(count, "rendition")) \(count == 1 ? "has" : "have")"
    return Diagnostic(
      .warning, file: plan.files[Int(first.file)], line: Int(first.line), column: 1,
      message: "no scale is set, and \(renditions) sizes in points: they are taken for those of a 1x screen",
      help: advice, isVital: true)
  }
}

extension Tally where Place == JobLine {
  /// Lines of a job whose keys are paths of this machine.
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
