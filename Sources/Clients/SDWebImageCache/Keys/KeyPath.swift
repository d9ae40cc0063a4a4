/// `NSString`'s path functions on UTF-8: a dot that begins a name makes no extension, slashes at the end do not count.
package enum KeyPath {
  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// Behind the last dot of the last part, without the dot; nil where there is none. A space or a mark of direction makes
  /// it none (CoreFoundation, `__IsInvalidExtensionCharacter`).
  package static func pathExtension(_ path: [UInt8]) -> [UInt8]? {
    let name = lastPart(path)
    guard let last = name.lastIndex(of: dot), last > name.startIndex, last < name.endIndex - 1 else {
      return nil
    }
    let found = name[(last + 1)...]
    let isNone = String(decoding: found, as: UTF8.self).unicodeScalars.contains {
      $0 == " " || $0.properties.isBidiControl
    }
    return isNone ? nil : Array(found)
  }

  /// The path without its extension and the dot before it; repeated slashes become one.
  package static func withoutExtension(_ path: [UInt8]) -> [UInt8] {
    let name = lastPart(path)
    let end = pathExtension(path).map { name.endIndex - $0.count - 1 } ?? name.endIndex
    var result: [UInt8] = []
    result.reserveCapacity(end)
    for byte in path[..<end] where !(byte == slash && result.last == slash) { result.append(byte) }
    return result
  }

  private static func lastPart(_ path: [UInt8]) -> ArraySlice<UInt8> {
    let end = path.lastIndex { $0 != slash }.map { $0 + 1 } ?? path.startIndex
    let start = path[..<end].lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex
    return path[start..<end]
  }
}
