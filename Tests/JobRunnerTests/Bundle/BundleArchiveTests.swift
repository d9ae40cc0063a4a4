import CacheBundleInstaller
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// What only libarchive reads is proved as the installer proves a zip.
@Suite(.timeLimit(.minutes(10)))
struct BundleArchiveTests {
  private func bundle(_ folder: TemporaryFolder) throws -> URL {
    let cache = folder.file("cache").path
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    for name in ["aa", "bb"] {
      try Data("picture \(name)".utf8).write(to: URL(fileURLWithPath: "\(cache)/\(name)"))
    }
    var options = BundleOptions(output: folder.file("b.tar").path, format: .tar)
    options.client = .nuke(.latest)
    _ = try BundleMaker(options).make(from: cache)
    return folder.file("b.tar")
  }

  @Test func cutsAndFlippedBitsOfATarAreFound() throws {
    let folder = try TemporaryFolder()
    let url = try bundle(folder)
    #expect(try BundleArchive.verify(url).entries.count == 2)
    let whole = try Data(contentsOf: url)
    let text = try #require(whole.firstRange(of: Data("picture bb".utf8)))
    var damaged = whole
    damaged[text.lowerBound] ^= 1
    try damaged.write(to: url)
    let failure = #expect(throws: BundleFailure.self) { try BundleArchive.verify(url) }
    #expect(failure?.code == .digest)
    try whole.prefix(text.lowerBound + 3).write(to: url)
    #expect(throws: BundleFailure.self) { try BundleArchive.verify(url) }
  }

  @Test func whatNeedsNoLedgerNeedsAClient() throws {
    let folder = try TemporaryFolder()
    _ = try bundle(folder)
    let options = BundleOptions(output: folder.file("c.zip").path, format: .zip)
    let failure = #expect(throws: BundleError.self) {
      try BundleMaker(options).make(from: folder.file("cache").path)
    }
    #expect(failure?.code == .client)
  }
}
