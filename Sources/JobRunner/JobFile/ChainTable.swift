/// The chains of a job, each once: entries hold an index into it.
public struct ChainTable: Sendable {
  /// A chain and how a person calls it: its name, or the text of an inline chain.
  public struct Row: Sendable, Hashable {
    public var chain: Chain
    public var label: String
    /// How its results are encoded, where the chain says that itself.
    public var encoding: JobEncoding?
  }

  public private(set) var rows: [Row] = []
  private var indexByLabel: [String: Int] = [:]

  public init() {}

  public func index(ofLabel label: String) -> Int? { indexByLabel[label] }

  /// The index of `chain` under `label`; a label that is known already keeps its chain.
  public mutating func intern(_ chain: Chain, label: String, encoding: JobEncoding? = nil) -> Int {
    if let known = indexByLabel[label] { return known }
    rows.append(Row(chain: chain, label: label, encoding: encoding))
    indexByLabel[label] = rows.count - 1
    return rows.count - 1
  }

  public subscript(index: Int) -> Row { rows[index] }
}
