import ClientKit
import JobSupport
import SDWebImageCache
import TestSupport
import Testing

@testable import ClientRegistry

/// Keys read backwards, and made again.
@Suite("SDWebImage's keys read backwards", .timeLimit(.minutes(10)))
struct SDWebImageReadingTests {
  private func readings(_ key: String, _ version: SDWebImageVersion = .latest) -> [KeyReading] {
    Array(SDWebImageClient(version: version).readings(ofKey: key))
  }

  private func text(_ reading: KeyReading) -> String {
    SDWebImageClient(version: .latest).processorRows.text(reading.calls)
  }

  /// The key that a job with this source and chain has.
  private func key(_ reading: KeyReading, _ version: String) -> String? {
    let planned = Preheat.plan(
      """
      client sdwebimage \(version)
      cache out
      https://e.com/1.png \(text(reading)) id="\(reading.base.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))"
      """)
    #expect(planned.errors == [], "\(reading)")
    return planned.plan?.renditions.first { _ in true }?.key
  }

  @Test func everyGoldenKeyIsReadAndMadeAgain() throws {
    for row in try Fixtures.table("sdwebimage-keys.tsv") {
      let wanted = try #require(row["cache_key"])
      let version = try #require(row["sd_version"])
      let found = readings(wanted, try SDWebImageVersion(parsing: version))
      let first = try #require(found.first, "\(wanted)")
      let hasMark =
        row["thumbnail"] != "-"
        || row["transformer"]?.hasPrefix("custom") == false && row["transformer"] != "-"
      #expect(first.calls.isEmpty != hasMark, "\(wanted): \(text(first))")
      for reading in found { #expect(key(reading, version) == wanted, "\(reading)") }
      if hasMark, wanted.hasPrefix("http"), !wanted.contains("~") {
        let base = row["base_key"] == "-" ? row["url"] : row["base_key"]
        #expect(first.base == base, "\(wanted)")
      }
    }
  }

  @Test func whatWasLostIsNotMadeUp() {
    // The path was normalised: both bases make the key, and the plain one is offered.
    #expect(
      readings("https://e.com/~u/a-SDImageBlurTransformer(5.000000).png").map(\.base) == [
        "https://e.com/~u/a.png", "https://e.com/~u/a-SDImageBlurTransformer(5.000000).png",
      ])
    // What no chain of this release makes is only a key.
    for key in [
      "https://e.com/a-SDImageBlurTransformer(5.0).png",
      "https://e.com/a-SDImageTintTransformer(%2380ff0000).png",
      "https://e.com/a-SDImageResizingTransformer({1.000000,1.000000},0).png",
      "photo-SDImageBlurTransformer(x)",
    ] { #expect(readings(key).map(text) == ["original"], "\(key)") }
    #expect(
      readings("https://e.com/a-SDImageTintTransformer(%2380ff0000).png", SDWebImageVersion(5, 19, 7)).first
        .map(text) == "tint(color: #FF000080)")
  }
}
