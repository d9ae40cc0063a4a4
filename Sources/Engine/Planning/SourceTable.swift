import ClientKit

/// The sources of a plan, each URL once, in one piece of memory: a string for each of a million would take half as much again.
package struct SourceTable: RandomAccessCollection, Sendable {
  /// All URLs, one behind the other.
  private var text: [UInt8] = []
  /// Where each of them ends.
  private var ends: [Int] = []
  private var schemes: [SourceScheme] = []

  init() {}

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }

  package subscript(position: Int) -> Plan.Source {
    let url = withURL(at: position) { String(decoding: $0, as: UTF8.self) }
    return Plan.Source(url: url, scheme: schemes[position])
  }

  /// Whether there is a fragment's sign in any of them.
  var mayHaveFragments: Bool { text.contains(UInt8(ascii: "#")) }

  fileprivate func withURL<Result>(at position: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
  {
    text.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range(of: position)])) }
  }

  private func range(of position: Int) -> Range<Int> {
    (position == 0 ? 0 : ends[position - 1])..<ends[position]
  }

  mutating func append(_ source: Plan.Source) {
    text += source.url.utf8
    ends.append(text.count)
    schemes.append(source.scheme)
  }

  /// The same sources in another order.
  func ordered(_ order: [Int32]) -> SourceTable {
    guard zip(order, indices).contains(where: { Int($0) != $1 }) else { return self }
    var table = SourceTable()
    table.text.reserveCapacity(text.count)
    for source in order {
      table.text += text[range(of: Int(source))]
      table.ends.append(table.text.count)
      table.schemes.append(schemes[Int(source)])
    }
    return table
  }
}

/// Finds a source by its URL while a plan is made: four bytes a source, and nothing of the URL. Bytes count, not characters.
struct SourceIndex {
  private var places = HashPlaces()

  /// The number of a source, which is added where the table does not have it.
  mutating func number(of url: String, _ scheme: SourceScheme, in sources: inout SourceTable) -> Int32 {
    var url = url
    let (hash, known): (Int, Int32?) = url.withUTF8 { url in
      let hash = Self.hash(of: url)
      return (hash, places.number(hash) { number in sources.withURL(at: number) { Self.isEqual($0, url) } })
    }
    if let known { return known }
    sources.append(Plan.Source(url: url, scheme: scheme))
    return places.add(hash) { number in sources.withURL(at: number, Self.hash) }
  }

  /// From the end, since the URLs of a job begin alike.
  private static func isEqual(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    a.count == b.count && a.indices.reversed().allSatisfy { a[$0] == b[$0] }
  }

  /// Each process seeds the hash, so no job makes all meet.
  private static func hash(of url: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(url))
    return hasher.finalize()
  }
}

/// Finds things by their hashes, four bytes for each; they are numbered as they come.
struct HashPlaces: Sendable {
  /// A power of two of places; -1 for a free one. Each thing is at the first free place from that of its hash on.
  private var places = [Int32](repeating: -1, count: 64)
  private var count = 0

  func number(_ hash: Int, where isIt: (Int) -> Bool) -> Int32? {
    let number = places[place(hash, where: isIt)]
    return number < 0 ? nil : number
  }

  /// - Parameter hashOf: of a thing by its number.
  mutating func add(_ hash: Int, hashOf: (Int) -> Int) -> Int32 {
    // At most half full, or the ways get long.
    if 2 * count >= places.count {
      places = [Int32](repeating: -1, count: 2 * places.count)
      for number in 0..<count { places[place(hashOf(number))] = Int32(number) }
    }
    places[place(hash)] = Int32(count)
    count += 1
    return Int32(count - 1)
  }

  /// The place of a thing, or the free one that it would get.
  private func place(_ hash: Int, where isIt: (Int) -> Bool = { _ in false }) -> Int {
    var place = hash & (places.count - 1)
    while places[place] >= 0, !isIt(Int(places[place])) { place = (place + 1) & (places.count - 1) }
    return place
  }
}
