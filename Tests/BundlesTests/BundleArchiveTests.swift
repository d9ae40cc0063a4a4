import ClientKit
import Foundation
import NukeCache
import TestSupport
import Testing
import Text

@testable import Bundles
@testable import CacheBundleInstaller
@testable import CacheStore
@testable import Digests

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
    options.client = CacheClient(name: "nuke", release: Release(NukeVersion.latest))
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
    let failure = #expect(throws: ToolError.self) {
      try BundleMaker(options).make(from: folder.file("cache").path)
    }
    #expect(failure?.code == .bundle(.client))
  }

  /// More entries than a zip without its 64-bit extension can name: another reader finds them all, too.
  @Test func moreThan65535EntriesOfAZip() throws {
    let folder = try TemporaryFolder()
    let zip = folder.file("many.zip")
    let bytes = Array("picture".utf8)
    let digest = hexadecimal(SHA256.hash(bytes))
    let names = (0..<65_600).map { "f\($0)" }
    let index = BundleIndex(
      client: "nuke", clientVersion: "12.9.0", folder: "many",
      rules: BundleRules(expiry: .never, eviction: .accessDate),
      entries: names.map { BundleIndex.Entry(file: $0, size: bytes.count, sha256: digest) })
    var archive = try StoredZipWriter(path: zip.path, calls: .system)
    try archive.add("id", Array("\(index.id)\n".utf8), modified: 315_532_800)
    try archive.add("index.json", index.encoded(), modified: 315_532_800)
    for name in names { try archive.add("files/" + name, bytes, modified: 315_532_800) }
    try archive.finish()

    let reader = try BundleReader(CacheBundle(at: zip))
    #expect(reader.contains("f0") && reader.data(named: "f65599") == Data(bytes))
    let all = try ArchiveReader(path: zip.path)
    var entries = 0
    while try all.next() != nil { entries += 1 }
    #expect(entries == 65_602)
  }

  /// The forms that an app does not install are proved all the same.
  @Test func aTarWithAFileTooManyALinkOrAFalseId() throws {
    let folder = try TemporaryFolder()
    let index = try BundleArchive.checked(bundle(folder)).index
    let (id, list) = (Array("\(index.id)\n".utf8), try index.encoded())
    let files = ["aa", "bb"].map { ("files/\($0)", Array("picture \($0)".utf8)) }
    let cases: [(code: BundleFailure.Code?, entries: [(String, [UInt8])])] = [
      (nil, [("id", id), ("index.json", list)] + files),
      (.path, [("id", id), ("index.json", list), ("../evil", [1])] + files),
      (.path, [("id", id), ("index.json", list), ("/etc/evil", [1])] + files),
      (.archive, [("id", id), ("index.json", list), files[0]] + files),
      (.archive, [("id", id), ("index.json", list)] + files.reversed()),
      (.digest, [("id", [48] + id.dropFirst().map { $0 == 48 ? 49 : $0 }), ("index.json", list)] + files),
      (.notFound, [("index.json", list)] + files),
      (.notFound, [("id", id), ("index.json", list), files[0]]),
      (.archive, [("id", id), ("index.json", list), ("index.json", list)] + files),
      (.digest, [("id", id), ("index.json", list), files[0], ("files/bb", files[0].1)]),
    ]
    for (code, entries) in cases {
      let url = folder.file("made.tar")
      var archive = try ArchiveWriter(path: url.path, isCompressed: false)
      for (name, bytes) in entries { try archive.add(name, bytes, modified: 315_532_800) }
      try archive.close()
      var found: BundleFailure.Code?
      do throws(BundleFailure) { _ = try BundleArchive.verify(url) } catch { found = error.code }
      #expect(found == code, "\(entries.map(\.0))")
    }
  }

  /// The names and the bytes are right, and yet it is not what Preheat writes.
  @Test func aTarWithOtherHeadersOrPaddingIsFound() throws {
    let folder = try TemporaryFolder()
    let url = try bundle(folder)
    let whole = try Data(contentsOf: url)
    let name = try #require(whole.firstRange(of: Data("index.json".utf8)))
    // The owner's name is a part of the header's sum, so the sum goes with it.
    var owner = whole
    owner[name.lowerBound + 265] = UInt8(ascii: "a")
    let field = (name.lowerBound + 148)..<(name.lowerBound + 154)
    let sum = try #require(Int(String(decoding: owner[field], as: UTF8.self), radix: 8)) + 97
    owner.replaceSubrange(
      field,
      with: Array(String(repeating: "0", count: 6) + String(sum, radix: 8)).suffix(6).map {
        $0.asciiValue ?? 0
      })
    var padding = whole
    let end = try #require(whole.firstRange(of: Data("picture aa".utf8))).upperBound
    padding[end + 5] = 1
    for bytes in [owner, padding, whole + Data(count: 512), whole.dropLast(512)] {
      try bytes.write(to: url)
      let failure = #expect(throws: BundleFailure.self) { try BundleArchive.verify(url) }
      #expect(failure?.code == .archive)
    }
    try whole.write(to: url)
    #expect(throws: Never.self) { try BundleArchive.verify(url) }
  }
}
