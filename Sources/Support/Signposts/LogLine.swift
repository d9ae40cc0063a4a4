import Foundation

/// What the statistics want of a line.
enum LogLine {
  case header(version: Int)
  case footer
  case begun(id: Int64, name: String)
  /// `group` is nil where the line has no value to group by.
  case interval(id: Int64, name: String, begin: Int64, duration: Int64, group: String?)
  /// Events, counters, and what later versions may add.
  case other
  /// No JSON object, or a time that no run takes.
  case damaged

  private struct Members: Decodable {
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

  init(_ bytes: ArraySlice<UInt8>, by grouping: SignpostGrouping?, _ decoder: JSONDecoder) {
    guard let line = try? decoder.decode(Members.self, from: Data(bytes)) else {
      self = .damaged
      return
    }
    switch (line.type, line.id, line.name) {
    case ("header", _, _): self = .header(version: line.v ?? 0)
    case ("footer", _, _): self = .footer
    case ("begin", let id?, let name?): self = .begun(id: id, name: name)
    case ("interval", let id?, let name?):
      guard let begin = line.begin, let duration = line.duration, Self.isPlausible(begin),
        Self.isPlausible(duration)
      else {
        self = .damaged
        return
      }
      self = .interval(
        id: id, name: name, begin: begin, duration: max(0, duration), group: line.group(by: grouping))
    case ("begin", _, _), ("interval", _, _): self = .damaged
    default: self = .other
    }
  }

  /// Nanoseconds of no more than three years, so that no sum of them overflows.
  private static func isPlausible(_ nanoseconds: Int64) -> Bool {
    nanoseconds.magnitude < 100_000_000_000_000_000
  }
}
