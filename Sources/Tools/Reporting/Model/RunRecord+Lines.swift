import Foundation
import Planning
import Text

/// Why a record cannot be read, or a report cannot be written.
package struct ReportFailure: Error, Hashable, Sendable {
  package var message: String

  package init(message: String) { self.message = message }
}

/// A record as NDJSON: the lines of `run --json`, the `summary` first, with what the page has besides. `docs/report.md`
/// describes it.
extension RunRecord {
  /// The file's name in a state folder.
  package static let fileName = "last-run.ndjson"
  /// That of the run before it.
  package static let previousFileName = "previous-run.ndjson"

  /// The lines in pieces of many: all at once they would take more memory than the run.
  package func forEachPiece(_ body: (Data) throws -> Void) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var piece = JSONBytes()
    func handOut(beyond size: Int) throws {
      guard piece.bytes.count > size else { return }
      try body(Data(piece.bytes))
      piece.bytes.removeAll(keepingCapacity: true)
    }
    func add(_ type: String, _ value: some Encodable) throws {
      let json = try encoder.encode(TypedLine(type: type, value: value))
      piece.plain(JSONBytes.inert(String(decoding: json, as: UTF8.self)) + "\n")
      try handOut(beyond: 1 << 18)
    }
    appendLine(to: &piece.bytes)
    for cache in caches { try add("cache", cache) }
    for finding in findings { try add("finding", finding) }
    for operation in operations { try add("operation", operation) }
    for rendition in renditions {
      RenditionLine(rendition).appendLine(to: &piece.bytes)
      try handOut(beyond: 1 << 18)
    }
    try handOut(beyond: 0)
  }

  /// Reads what ``forEachPiece(_:)`` made. Types that are not known are passed over, a last line that was cut too.
  package init(lines data: Data, path: String) throws(ReportFailure) {
    let head = try? JSONDecoder().decode(LineHead.self, from: data.prefix { $0 != UInt8(ascii: "\n") })
    guard head?.v ?? 1 <= 1 else {
      throw ReportFailure(message: "\(path) was written by a newer preheat")
    }
    // Read where they lie: with another copy of the bytes a report would take twice the memory.
    let record = try data.withUnsafeBytes { bytes in
      Result { () throws(ReportFailure) in try Self.read(bytes, path: path) }
    }.get()
    guard let record else {
      throw ReportFailure(
        message: "\(path) is not the record of a run, or that of an earlier release; run the job again")
    }
    // Up to the year 9999.
    guard (0...253_402_300_799).contains(record.summary.started) else {
      throw ReportFailure(message: "\(path) is damaged: it says that the run began at no known time")
    }
    self = record
  }

  private static func read(_ bytes: UnsafeRawBufferPointer, path: String) throws(ReportFailure) -> RunRecord?
  {
    let decoder = JSONDecoder()
    let renditionMark = Array(#"{"v":1,"type":"rendition","#.utf8)
    var record: RunRecord?
    for (index, bytes) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      let line = Data(bytes)
      do {
        guard hasPlausibleNumbers(bytes) else { throw ReportFailure(message: "a number") }
        // Most lines are of this type.
        let isRendition = bytes.starts(with: renditionMark)
        let type = isRendition ? "rendition" : try decoder.decode(LineHead.self, from: line).type
        if index == 0, type == "summary" {
          record = RunRecord(summary: try decoder.decode(RunSummary.self, from: line))
          continue
        }
        switch type {
        case "cache": record?.caches.append(try decoder.decode(CacheSize.self, from: line))
        case "finding": record?.findings.append(try decoder.decode(FindingRecord.self, from: line))
        case "operation": record?.operations.append(try decoder.decode(RecordedOperation.self, from: line))
        case "rendition": record?.renditions.append(try decoder.decode(RenditionRecord.self, from: line))
        default: break
        }
      } catch {
        throw ReportFailure(message: "\(path) is damaged in line \(index + 1); run the job again")
      }
    }
    return record
  }

  /// A record was not necessarily written by this program: no number may be so large that reckoning with fifty thousand
  /// of them overflows.
  ///
  /// - Parameter line: JSON. The decoder refuses anything else.
  private static func hasPlausibleNumbers(_ line: some Collection<UInt8>) -> Bool {
    var isText = false
    var isEscaped = false
    let bare = line.map { byte in
      let wasText = isText
      if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
      isEscaped = wasText && !isEscaped && byte == UInt8(ascii: "\\")
      return wasText ? UInt8(ascii: " ") : byte
    }
    return bare.split { !"0123456789-+.eE".utf8.contains($0) }.allSatisfy { number in
      Double(String(decoding: number, as: UTF8.self)).map { abs($0) <= 1e14 } ?? true
    }
  }
}

private struct LineHead: Decodable {
  package var v: Int?
  package var type: String
}

/// A value's own members, and `type` among them.
private struct TypedLine<Value: Encodable>: Encodable {
  package var type: String
  package var value: Value

  private enum Key: CodingKey {
    case type
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(type, forKey: .type)
    try value.encode(to: encoder)
  }
}
