import Foundation

/// What a bad disk, a crash or a stranger makes of a database file.
public enum Mutation {
  /// Another kind for each seed, with other places and bytes.
  public static func damage(_ bytes: Data, seed: Int) -> Data {
    var numbers = SeededGenerator(state: UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15)
    var bytes = [UInt8](bytes)
    let page = 4096
    func place(_ numbers: inout SeededGenerator) -> Int {
      Int.random(in: 0..<max(1, bytes.count), using: &numbers)
    }
    guard !bytes.isEmpty else { return Data([UInt8(truncatingIfNeeded: seed)]) }
    switch seed % 10 {
    case 0:  // bits here and there
      for _ in 0..<Int.random(in: 1...40, using: &numbers) {
        bytes[place(&numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      }
    case 1:  // bytes of the header
      for _ in 0..<Int.random(in: 1...6, using: &numbers) {
        bytes[Int.random(in: 0..<min(100, bytes.count), using: &numbers)] = .random(
          in: 0...255, using: &numbers)
      }
    case 2: bytes.removeLast(bytes.count - place(&numbers))
    case 3:  // nothing but noise
      for index in bytes.indices { bytes[index] = .random(in: 0...255, using: &numbers) }
    case 4:  // a page of zeros
      let start = place(&numbers) / page * page
      for index in start..<min(bytes.count, start + page) { bytes[index] = 0 }
    case 5:  // two pages in each other's place
      let (first, second) = (place(&numbers) / page * page, place(&numbers) / page * page)
      for index in 0..<page where max(first, second) + index < bytes.count {
        bytes.swapAt(first + index, second + index)
      }
    case 6:  // a run of noise
      let start = place(&numbers)
      for index in start..<min(bytes.count, start + Int.random(in: 1...600, using: &numbers)) {
        bytes[index] = .random(in: 0...255, using: &numbers)
      }
    case 7:  // heads of pages, where cells are counted and pointed to
      let start = place(&numbers) / page * page
      for index in start..<min(bytes.count, start + 24) {
        if Bool.random(using: &numbers) { bytes[index] = .random(in: 0...255, using: &numbers) }
      }
    case 8:
      bytes.insert(
        contentsOf: [UInt8](repeating: 7, count: Int.random(in: 1...900, using: &numbers)),
        at: place(&numbers))
    default: return Data()
    }
    return Data(bytes)
  }
}
