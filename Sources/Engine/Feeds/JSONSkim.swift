import Foundation

/// The values of a JSON text that may be cut anywhere, by their ways from the root; `*` stands for each element.
///
/// It checks nothing: whoever reads the whole text does.
struct JSONSkim {
  /// In the order of the text; of each way the first values.
  private(set) var values: [(way: [String], values: [String])] = []
  private var places: [[String]: Int] = [:]
  /// The containers that are open, and in an object the name of the member that comes.
  private var open: [(isArray: Bool, name: String)] = []
  private var expectsName = false

  mutating func read(_ bytes: [UInt8]) {
    var index = 0
    while index < bytes.count, open.count <= FeedLimits.depth, values.count < FeedLimits.columns {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        guard let end = Self.end(ofStringAt: index, in: bytes) else { return }
        let text = Self.text(bytes[index...end])
        index = end
        if expectsName {
          if !open.isEmpty { open[open.count - 1].name = text }
        } else {
          add(text)
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isArray = byte == UInt8(ascii: "[")
        open.append((isArray, isArray ? "*" : ""))
        expectsName = !isArray
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = open.popLast()
        expectsName = false
      case UInt8(ascii: ","): expectsName = open.last?.isArray == false
      case UInt8(ascii: ":"): expectsName = false
      case 0x20, 9, 10, 13: break
      default:
        // What the text ends in may be cut.
        guard let end = bytes[index...].firstIndex(where: { ",]} \t\r\n".utf8.contains($0) }) else { return }
        let text = String(decoding: bytes[index..<end], as: UTF8.self)
        if text != "null" { add(text) }
        index = end - 1
      }
      index += 1
    }
  }

  private mutating func add(_ value: String) {
    let way = open.map(\.name)
    if let place = places[way] {
      if values[place].values.count < FeedOutline.samples { values[place].values.append(value) }
    } else {
      places[way] = values.count
      values.append((way, [value]))
    }
  }

  private static func end(ofStringAt start: Int, in bytes: [UInt8]) -> Int? {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index < bytes.count ? index : nil
  }

  private static func text(_ quoted: ArraySlice<UInt8>) -> String {
    let plain = quoted.dropFirst().dropLast()
    guard plain.contains(UInt8(ascii: "\\")) else { return String(decoding: plain, as: UTF8.self) }
    let value = try? JSONSerialization.jsonObject(with: Data(quoted), options: .fragmentsAllowed)
    return value as? String ?? ""
  }
}
