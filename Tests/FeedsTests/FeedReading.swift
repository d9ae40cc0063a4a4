@testable import Feeds

/// A catalogue as it was read: a row's fields with `=` between, or `line:column: message`.
struct FeedReading {
  var rows: [String] = []
  var faults: [String] = []
  /// What is wrong with all of it.
  var failure: String?

  init(
    _ text: String, _ format: FeedFormat, _ fields: [String], rows pointer: String? = nil,
    pieces: Int = 1 << 18
  ) {
    self.init(Array(text.utf8), format, fields, rows: pointer, pieces: pieces)
  }

  init(
    _ bytes: [UInt8], _ format: FeedFormat, _ fields: [String], rows pointer: String? = nil,
    pieces: Int = 1 << 18
  ) {
    let query = FeedQuery(format: format, fields: fields, rows: pointer)
    do throws(FeedFault) {
      try FeedReader.forEach(in: CatalogueText(bytes: bytes, pieces: pieces), query) { event in
        switch event {
        case .success(let row):
          let texts = row.values.map { "\(fields[$0.field])=\(String(decoding: row[$0], as: UTF8.self))" }
          rows.append("\(row.line) " + texts.joined(separator: " "))
        case .failure(let fault): faults.append("\(fault.line):\(fault.column): \(fault.message)")
        }
      }
    } catch {
      failure = error.message
    }
  }
}
