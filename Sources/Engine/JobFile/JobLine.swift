import ClientKit
import Pictures
import Syntax
import Text

package struct JobLine: Sendable {
  /// As it is written, for reports. Its file differs from the job's inside an `include`.
  package var text: TextLine
  /// The URL as the app's `URL(string:)` holds it.
  package var url: String
  package var scheme: SourceScheme
  /// Indexes into the job's ``ChainTable``, in the order written, each once.
  package var chains: [Int]
  package var options: RequestOptions

  package var file: String { text.file }
  package var line: Int { text.number }
}

/// The chains of a job, each once: job lines hold an index into it.
package struct ChainTable: Sendable {
  /// A chain and how a person calls it: its name, or the text of an inline chain.
  package struct Row: Sendable, Hashable {
    package var chain: Chain
    package var label: String
    /// How its results are encoded, where the chain says that itself.
    package var encoding: EncodingChoice?
  }

  package private(set) var rows: [Row] = []
  private var indexByLabel: [ByteText: Int] = [:]

  package init() {}

  package func index(ofLabel label: String) -> Int? { indexByLabel[ByteText(label)] }

  /// The index of `chain` under `label`; a label that is known already keeps its chain.
  mutating func intern(_ chain: Chain, label: String, encoding: EncodingChoice? = nil) -> Int {
    let text = ByteText(label)
    if let known = indexByLabel[text] { return known }
    rows.append(Row(chain: chain, label: label, encoding: encoding))
    indexByLabel[text] = rows.count - 1
    return rows.count - 1
  }

  /// Takes the chains that another table has more, which can then grow without a copy of itself; labels are not taken.
  package mutating func takeRows(of other: ChainTable) {
    if rows.count < other.rows.count { rows += other.rows[rows.count...] }
  }

  package subscript(index: Int) -> Row { rows[index] }
}
