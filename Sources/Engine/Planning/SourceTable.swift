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
  /// A power of two of places; -1 for a free one. Each source is at the first free place from that of its hash on.
  private var places = [Int32](repeating: -1, count: 64)
  private var count = 0

  /// The number of a source, which is added where the table does not have it.
  mutating func number(of url: String, _ scheme: SourceScheme, in sources: inout SourceTable) -> Int32 {
    // At most half full, or the ways get long.
    if 2 * count >= places.count { grow(sources) }
    var url = url
    let place: Int = url.withUTF8 { url in
      self.place(of: url) { number in sources.withURL(at: number) { $0.elementsEqual(url) } }
    }
    guard places[place] < 0 else { return places[place] }
    let number = Int32(sources.count)
    sources.append(Plan.Source(url: url, scheme: scheme))
    places[place] = number
    count += 1
    return number
  }

  private mutating func grow(_ sources: SourceTable) {
    places = [Int32](repeating: -1, count: 2 * places.count)
    for number in sources.indices {
      places[sources.withURL(at: number) { place(of: $0) { _ in false } }] = Int32(number)
    }
  }

  /// The place of a URL, or the free one that it would get. Each process seeds the hash, so no job makes all meet.
  private func place(of url: UnsafeBufferPointer<UInt8>, where isIt: (Int) -> Bool) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(url))
    var place = hasher.finalize() & (places.count - 1)
    while places[place] >= 0, !isIt(Int(places[place])) { place = (place + 1) & (places.count - 1) }
    return place
  }
}
