import ClientKit
import Text

extension KeyDraft {
  /// Takes the chains of which nothing is drawn out of the lines.
  ///
  /// - Returns: them with their lines, as comments, and how many keys they make.
  mutating func setAside() -> (text: String, keys: Int) {
    let chains = chains
    let isUndrawn = { (item: Item) in item.chain >= 0 && !chains[Int(item.chain)].isDrawn }
    var (text, keys) = ("", 0)
    for chain in chains where !chain.isDrawn { text += "# chain \(chain.name) = \(chain.text)\n" }
    for index in lines.indices {
      let undrawn = lines[index].items.filter(isUndrawn)
      if undrawn.isEmpty { continue }
      lines[index].items.removeAll(where: isUndrawn)
      keys += undrawn.reduce(0) { $0 + $1.keys.count }
      text += "# \(self.text(of: lines[index], undrawn[...], \.name))\n"
    }
    if keys > 0 { proved = nil }
    let note =
      "\n# \(NumberText.count(keys, "key")) with processors of the app's own, of which nothing is drawn. To warm them, "
      + "give each chain a drawing with 'as'\n# and take its marks away.\n"
    return keys == 0 ? ("", 0) : (note + text, keys)
  }
}

extension KeyDraft.Line {
  /// Maximum number of items that are looked through one by one.
  private static let few = 16

  mutating func add(_ key: ByteText, of chain: Int32) {
    let place = places.isEmpty ? items.firstIndex { $0.chain == chain } : places[chain]
    if let place { return items[place].add(key) }
    items.append(KeyDraft.Item(chain: chain, key: key))
    if places.isEmpty, items.count > Self.few {
      places = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.chain, $0) })
    } else if !places.isEmpty {
      places[chain] = items.count - 1
    }
  }
}
