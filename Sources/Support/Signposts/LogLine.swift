import Foundation

/// What the statistics want of a line.
enum LogLine {
  case header(version: Int)
  case footer
  case begun(id: Int64, name: Int)
  /// `group` is nil where the line has no value to group by.
  case interval(id: Int64, name: Int, begin: Int64, duration: Int64, group: Int?)
  /// Events, counters, and what later versions may add.
  case other
  /// No JSON object.
  case damaged

  /// Reads a line in its fixed form; any other JSON object takes the slower way.
  static func parse(
    _ bytes: UnsafeRawBufferPointer, by grouping: SignpostGrouping?, names: inout InternTable,
    groups: inout InternTable
  ) -> LogLine {
    var cursor = LineCursor(bytes)
    if cursor.skip("{\"type\":\"interval\",\"name\":\""), let name = cursor.plainText(),
      cursor.skip(",\"id\":"),
      let id = cursor.integer(), cursor.skip(",\"begin\":"), let begin = cursor.integer(),
      cursor.skip(",\"duration\":"), let duration = cursor.integer(), bytes.last == UInt8(ascii: "}")
    {
      var group: Int?
      if let grouping {
        let found = cursor.find(grouping.member)
        if found != .absent {
          guard found == .here, let value = cursor.scalar() else {
            return parseAnyForm(bytes, by: grouping, names: &names, groups: &groups)
          }
          group = groups.index(of: value)
        }
      }
      guard isPlausible(begin), isPlausible(duration) else { return .damaged }
      return .interval(
        id: id, name: names.index(of: name), begin: begin, duration: max(0, duration), group: group)
    }
    cursor = LineCursor(bytes)
    if bytes.last == UInt8(ascii: "}"),
      cursor.skip("{\"type\":\"event\"") || cursor.skip("{\"type\":\"counter\"")
    {
      return .other
    }
    return parseAnyForm(bytes, by: grouping, names: &names, groups: &groups)
  }

  /// Nanoseconds of no more than three years, so that nothing reckoned with them overflows.
  private static func isPlausible(_ nanoseconds: Int64) -> Bool {
    nanoseconds.magnitude < 100_000_000_000_000_000
  }

  private struct Line: Decodable {
    var type: String
    var v: Int?
    var name: String?
    var id: Int64?
    var begin: Int64?
    var duration: Int64?
    var worker: Int?
    var host: String?
    var chain: String?
    var url: String?

    func group(by grouping: SignpostGrouping?) -> String? {
      switch grouping {
      case .worker: worker.map(String.init)
      case .host: host
      case .chain: chain
      case .url: url
      case nil: nil
      }
    }
  }

  private static func parseAnyForm(
    _ bytes: UnsafeRawBufferPointer, by grouping: SignpostGrouping?, names: inout InternTable,
    groups: inout InternTable
  ) -> LogLine {
    guard let line = try? JSONDecoder().decode(Line.self, from: Data(bytes)) else { return .damaged }
    switch line.type {
    case "header": return .header(version: line.v ?? 0)
    case "footer": return .footer
    case "begin":
      guard let id = line.id, let name = line.name else { return .damaged }
      return .begun(id: id, name: names.index(of: name))
    case "interval":
      guard let id = line.id, let name = line.name, let begin = line.begin, let duration = line.duration,
        isPlausible(begin), isPlausible(duration)
      else {
        return .damaged
      }
      return .interval(
        id: id, name: names.index(of: name), begin: begin, duration: max(0, duration),
        group: line.group(by: grouping).map { groups.index(of: $0) })
    default: return .other
    }
  }
}

extension SignpostGrouping {
  fileprivate var member: StaticString {
    switch self {
    case .worker: "worker"
    case .chain: "chain"
    case .url: "url"
    case .host: "host"
    }
  }
}
