extension OptionSpec {
  /// All that is to be said about an option, in sentences.
  var sentences: [String] {
    var sentences = [TextCase.sentence(summary)]
    if !detail.isEmpty { sentences.append(detail) }
    switch value?.kind {
    case .integer(let range): sentences.append("\(range.lowerBound) to \(range.upperBound).")
    case .seconds(let range): sentences.append("\(range.lowerBound) to \(Int(range.upperBound)).")
    default: break
    }
    if let defaultText { sentences.append("Default: \(defaultText).") }
    return sentences
  }
}

enum TextCase {
  /// A summary as a sentence; words that begin with a sign or have a spelling of their own stay.
  package static func sentence(_ text: String) -> String {
    guard let first = text.first else { return text }
    let end = text.hasSuffix(".") ? "" : "."
    return String(first).uppercased() + text.dropFirst() + end
  }
}
