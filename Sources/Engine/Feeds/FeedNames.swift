import Syntax
import Text

/// The names that a catalogue has, for advice.
enum FeedNames {
  /// - Parameter names: those that are there.
  static func help(_ names: [String], for field: String) -> String {
    let shown = names.prefix(12).map(Mistake.quote).joined(separator: ", ")
    let all = names.isEmpty ? "it has none" : "it has \(shown)\(names.count > 12 ? ", ..." : "")"
    let same = names.first { $0.lowercased() == field.lowercased() }
    return Mistake.suggestion(same ?? WordDistance.nearest(field, in: names)).map { "\($0) \(all)" } ?? all
  }
}
