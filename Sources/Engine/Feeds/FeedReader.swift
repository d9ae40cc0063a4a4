import Syntax
import Text

/// Reads a catalogue from its beginning to its end, one row after the other.
package enum FeedReader {
  /// Calls `take` with each row that follows the header, and with what is wrong with rows.
  ///
  /// - Throws: what is wrong with the catalogue as a whole.
  package static func forEach(
    in text: CatalogueText, _ query: FeedQuery, _ take: (FeedEvent) -> Void
  ) throws(FeedFault) {
    switch query.format {
    case .json, .ndjson: try JSONRows.read(text, query, take)
    case .csv, .tsv:
      var reader = try DelimitedReader(text, query.format, fields: query.fields)
      while let event = try reader.next() { take(event) }
    }
  }
}

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
