import Foundation
import Testing

@testable import Feeds

/// Which fields the beginning of a catalogue has.
@Suite(.timeLimit(.minutes(10)))
struct OutlineTests {
  private static func outline(
    _ bytes: [UInt8], isWhole: Bool, _ format: FeedFormat
  ) throws(FeedFault) -> FeedOutline {
    try FeedOutline(CatalogueText(bytes: bytes, most: isWhole ? .max : bytes.count), format)
  }

  private func outline(_ text: String, _ format: FeedFormat, isWhole: Bool = true) throws -> [String] {
    try Self.outline(Array(text.utf8), isWhole: isWhole, format).fields.map { field in
      "\(field.rows ?? "")|\(field.name)|\(field.values.joined(separator: " "))"
    }
  }

  @Test func columnsHaveTheNamesOfTheHeader() throws {
    #expect(try outline("a,b,a,\n1,2,3,4\n5,6,7,8\n", .csv) == ["|b|2 6"])
    #expect(try outline("a;b\n1;2\n", .csv) == ["|a|1", "|b|2"])
    // The last row may be cut.
    #expect(try outline("a\tb\n1\t2\n3", .tsv, isWhole: false) == ["|a|1", "|b|2"])
    #expect(throws: FeedFault.self) { try outline("", .csv) }
  }

  @Test func valuesOfJSONHaveTheirWayFromTheRow() throws {
    let text = #"{"n": 1, "shop": {"items": [{"i": [{"s": "x\/\u00e9"}, {"s": "z"}], "a/b": 1}, {"i": nu"#
    #expect(try outline(text, .json, isWhole: false) == ["/shop/items|/i/*/s|x/é z", "/shop/items|a/b|1"])
    #expect(try outline("[{\"a\": null, \"b\": {\"c\": true}}]", .json) == ["|/b/c|true"])
    #expect(try outline("[\"x\", \"y\"]", .json) == ["||x y"])
    #expect(try outline("{\"a\": 1}\n{\"a\": 2, \"b\": \"\\\"\"}\n", .ndjson) == ["|a|1 2", "|b|\""])
  }

  /// No longer than a line of a job can say; what is below is not looked at.
  @Test func namesAreFoundAsFarAsTheirWayIsShort() throws {
    let long = String(repeating: "k", count: 2000)
    #expect(try outline("[{\"\(long)\": 1, \"b\": {\"\(long)\": {\"c\": 1}}, \"d\": 2}]", .json) == ["|d|2"])
  }

  private static func outline(_ file: URL) throws -> [FeedOutline.Field] {
    let text = CatalogueText(descriptor: open(file.path, O_RDONLY), most: FeedOutline.most)
    return try FeedOutline(text, .csv).fields
  }

  /// Of a large catalogue only the beginning is read; gzip comes off first.
  @Test func theBeginningIsEnough() throws {
    let rows = (0..<200_000).map { "https://e.com/\($0).jpg,\($0)\n" }.joined()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("outline-\(UUID()).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("image,rank\n\(rows)\"never closed".utf8).write(to: file)
    let fields = try Self.outline(file)
    #expect(fields.map(\.name) == ["image", "rank"] && fields[0].values.count == FeedOutline.samples)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
    process.arguments = ["-f", file.path]
    try process.run()
    process.waitUntilExit()
    let packed = file.appendingPathExtension("gz")
    defer { try? FileManager.default.removeItem(at: packed) }
    #expect(
      try Self.outline(packed).map(\.name) == ["image", "rank"])
  }

  /// Text from strangers, cut anywhere.
  @Test func anyTextIsLookedThrough() {
    let text = Array(#"{"a": [1, {"b": "\u12"}, [[["x"]]]], "c" "d": ] } { , : "e\"#.utf8)
    for end in text.indices {
      for format in FeedFormat.allCases {
        _ = try? Self.outline(Array(text[..<end]), isWhole: false, format)
        _ = try? Self.outline(Array(text[end...]), isWhole: true, format)
      }
    }
    _ = try? Self.outline(Array(repeating: UInt8(ascii: "["), count: 1 << 20), isWhole: true, .json)
  }
}
