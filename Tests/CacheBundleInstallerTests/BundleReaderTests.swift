import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

@Suite(.timeLimit(.minutes(10)))
struct BundleReaderTests {
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  @Test func filesAreReadByNameFromBothForms() throws {
    let sample = SampleBundle()
    try sample.write(asZip: temporary.file("b.zip"))
    try sample.write(asFolder: temporary.file("b.bundle"))
    for name in ["b.zip", "b.bundle"] {
      let reader = try BundleReader(CacheBundle(at: temporary.file(name)))
      #expect(reader.data(named: "bbbb") == Data("second picture".utf8))
      #expect(reader.contains("aaaa") && !reader.contains("zzzz") && !reader.contains("../id"))
      #expect(reader.data(named: "../index.json") == nil)
    }
  }

  @Test func whatIsDamagedMeanwhileIsNone() throws {
    let url = temporary.file("b.bundle")
    try SampleBundle().write(asFolder: url)
    let reader = try BundleReader(CacheBundle(at: url))
    try Data("other bytes...".utf8).write(to: url.appendingPathComponent("files/bbbb"))
    #expect(reader.data(named: "bbbb") == nil && reader.contains("bbbb"))
    #expect(reader.data(named: "aaaa") != nil)
  }

  @Test func aDeltaServesOnlyItsOwn() throws {
    var delta = SampleBundle()
    delta.edit = { index in
      index.since = String(repeating: "a", count: 64)
      index.entries[0].included = false
    }
    try delta.write(asZip: temporary.file("d.zip"))
    let reader = try BundleReader(CacheBundle(at: temporary.file("d.zip")))
    #expect(!reader.contains("aaaa") && reader.data(named: "aaaa") == nil && reader.contains("bbbb"))
  }
}
