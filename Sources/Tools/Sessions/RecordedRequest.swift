import Foundation
import Text

/// A request of an app as it was recorded, or a key alone.
package struct RecordedRequest: Sendable, Hashable {
  /// Where the app's picture came from when this was recorded.
  package enum Found: String, Sendable, Hashable, CaseIterable, Codable {
    case memory, disk
    /// It was fetched, or not had at all.
    case none
  }

  /// The key that the app's client looked up: the request's own.
  package var key: String
  /// The source's URL, where the recording has it.
  package var url: String?
  /// What the app gave as image ID or cache key in place of the URL.
  package var id: String?
  /// Seconds since 1970.
  package var at: Double?
  package var found: Found?
  /// The request's options by their names in the client, as far as they change what it looks up.
  package var options: [String] = []
  /// Its line in the recording.
  package var line = 0
}

/// What is read of a recording that anybody may have written.
enum KeyLimits {
  /// Reading a key takes time with the square of its length where it was made for that. Only `data:` URLs are longer.
  static let longestKey = 16 << 10
  /// Requests of all recordings together, with the lines that cannot be read: half a gigabyte of memory.
  static let mostRequests = 2_000_000

  static func isTooLong(_ key: String) -> Bool { key.utf8.count > longestKey }
}

/// What an app asked for, in its order: NDJSON of a recorder, or keys alone, one a line.
package struct RecordedSession: Sendable {
  package var requests: [RecordedRequest] = []
  /// Lines that could not be read, and why.
  package private(set) var faults: [Fault] = []

  package struct Fault: Sendable, Hashable {
    package var name: String
    package var line: Int
    package var message: String
  }

  /// A line of a recorder. Members that are not known here are passed over.
  private struct Row: Decodable {
    var v: Int?
    var type, key, url, id: String?
    var at: Double?
    var found: String?
    var options: [String]?
    // A client's own record of a task: the parts of its key, one behind the other.
    var request: Parts?
    var source, outcome: String?
    var createdAt: Double?

    struct Parts: Decodable {
      var url, imageID, thumbnail: String?
      var processors, options: [String]
    }

    /// The same as a recorder writes it. What was given up was not missed, and is of another type.
    var recorded: Row {
      guard let request else { return self }
      let id = request.imageID ?? request.url ?? ""
      return Row(
        type: outcome == "cancelled" ? outcome : nil,
        key: id + (request.thumbnail ?? "") + request.processors.joined(), url: request.url,
        id: id == request.url ? nil : id, at: createdAt, found: source == "memory" ? source : nil,
        options: request.options)
    }
  }

  package init() {}

  /// Reads one recording behind those that are there already.
  ///
  /// - Parameters:
  ///   - name: what messages call it.
  ///   - reader: its lines.
  package mutating func read(_ name: String, _ reader: consuming LineReader) throws(ReadFailure) {
    let decoder = JSONDecoder()
    var number = 0
    while let line = try reader.next() {
      number += 1
      guard requests.count + faults.count < KeyLimits.mostRequests else {
        throw ReadFailure(
          reason: "more than \(NumberText.grouped(KeyLimits.mostRequests)) requests are recorded")
      }
      do throws(ReadFailure) {
        guard case .text(let bytes) = line else { throw ReadFailure(reason: "the line is longer than 1 MiB") }
        guard let first = bytes.first(where: { $0 != 32 && $0 != 9 }) else { continue }
        if first == UInt8(ascii: "{") {
          try record(bytes, number, decoder)
        } else if let key = String(validating: bytes, as: UTF8.self) {
          try add(RecordedRequest(key: key, line: number))
        } else {
          throw ReadFailure(reason: "the key is not UTF-8")
        }
      } catch {
        faults.append(Fault(name: name, line: number, message: error.reason))
      }
    }
  }

  /// - Throws: why the line cannot be read.
  private mutating func record(
    _ bytes: ArraySlice<UInt8>, _ line: Int, _ decoder: JSONDecoder
  ) throws(ReadFailure) {
    guard let row = try? decoder.decode(Row.self, from: Data(bytes)).recorded else {
      throw ReadFailure(reason: "this is not one JSON object of a recorder")
    }
    // Others may stand in a recording, too.
    guard row.type ?? Self.type == Self.type else { return }
    if let version = row.v, version != 1 {
      throw ReadFailure(reason: "version \(version) of the recording is not known here")
    }
    guard let key = row.key else { throw ReadFailure(reason: "\"key\" is missing") }
    let found = row.found.flatMap(RecordedRequest.Found.init)
    if let text = row.found, found == nil {
      let words = RecordedRequest.Found.allCases.map(\.rawValue).joined(separator: ", ")
      throw ReadFailure(reason: "\"found\" is one of \(words), not \(SafeText.escape(text))")
    }
    try add(
      RecordedRequest(
        key: key, url: row.url, id: row.id, at: row.at.flatMap { $0.isFinite ? $0 : nil }, found: found,
        options: row.options ?? [], line: line))
  }

  private mutating func add(_ request: RecordedRequest) throws(ReadFailure) {
    let texts = [request.key, request.url, request.id] + request.options
    guard texts.allSatisfy({ $0?.excessiveMark == nil }) else {
      throw ReadFailure(reason: "a character has more than \(String.mostMarks) combining marks")
    }
    requests.append(request)
  }

  private static let type = "request"
}
