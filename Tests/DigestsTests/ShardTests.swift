import Testing

@testable import Bodies
@testable import Digests

@Suite(.timeLimit(.minutes(10))) struct ShardTests {
  @Test(arguments: [
    ("1/1", 1, 1), ("3/7", 3, 7), ("7/7", 7, 7), ("1000000/1000000", 1_000_000, 1_000_000),
  ])
  func partsAreReadAndWritten(text: String, number: Int, count: Int) throws {
    let shard = try #require(Shard(text))
    #expect(shard.number == number && shard.count == count && shard.text == text)
  }

  @Test(arguments: [
    "", "1", "/", "1/", "/2", "0/2", "3/2", "-1/2", "1/0", "1/-2", "+1/2", "1/2/3", "a/b", " 1/2",
    "1/1000001", "1.0/2",
    "99999999999999999999/99999999999999999999",
  ])
  func whatIsNoPartIsRefused(text: String) {
    #expect(Shard(text) == nil)
  }

  @Test func labelsStandInOrderInAListing() throws {
    let labels = (1...12).compactMap { Shard(number: $0, of: 12)?.label }
    #expect(labels.first == "01-of-12" && labels.last == "12-of-12")
    #expect(labels.sorted() == labels)
  }

  /// Worked out with Python: `int.from_bytes(hashlib.sha256(url).digest()[:8], "big") % count + 1`.
  @Test(arguments: [
    ("https://img.example.com/1.jpg", 2, 1),
    ("https://img.example.com/1.jpg", 7, 4),
    ("https://img.example.com/1.jpg", 1000, 1),
    ("https://img.example.com/2.jpg?w=3", 2, 2),
    ("https://img.example.com/2.jpg?w=3", 7, 2),
    ("https://img.example.com/2.jpg?w=3", 1000, 174),
    ("file:///srv/%C3%A4.png", 2, 1),
    ("file:///srv/%C3%A4.png", 7, 2),
    ("file:///srv/%C3%A4.png", 1000, 315),
  ])
  func aSourceIsAlwaysInTheSamePart(url: String, count: Int, number: Int) throws {
    for candidate in 1...min(count, 20) where candidate != number {
      #expect(try #require(Shard(number: candidate, of: count)).holds(ArraySlice(url.utf8)) == false)
    }
    let shard = try #require(Shard(number: number, of: count))
    #expect(shard.holds(ArraySlice(url.utf8)))
    #expect(shard.holds(ArraySlice((url + "#top").utf8)), "a fragment is not sent")
    #expect(shard.holds(sourceID: SHA256.hexadecimal(of: url)), "the ledger's name says the same")
  }

  @Test(arguments: [1, 2, 3, 7, 16]) func everySourceIsInOnePart(count: Int) throws {
    let shards = try (1...count).map { try #require(Shard(number: $0, of: count)) }
    var sizes = [Int](repeating: 0, count: count)
    for number in 0..<3000 {
      let url = "https://img.example.com/\(number).jpg"
      let holders = shards.indices.filter { shards[$0].holds(ArraySlice(url.utf8)) }
      #expect(holders.count == 1, "\(url)")
      sizes[holders.first ?? 0] += 1
    }
    let mean = 3000 / count
    #expect(sizes.allSatisfy { abs($0 - mean) < mean / 2 + 1 }, "\(sizes)")
  }

  @Test(arguments: ["", "zz", "12", String(repeating: "g", count: 64)]) func noDigestIsInNoPart(id: String)
    throws
  {
    #expect(try !#require(Shard("1/1")).holds(sourceID: id))
  }
}
