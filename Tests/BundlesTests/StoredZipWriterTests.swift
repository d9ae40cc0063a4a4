import CacheBundleInstaller
import Foundation
import TestSupport
import Testing
import Text

@testable import Bundles
@testable import Digests

@Suite(.timeLimit(.minutes(10)))
struct StoredZipWriterTests {
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
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    other.arguments = [
      "-c", "import sys, zipfile; sys.exit(len(zipfile.ZipFile(sys.argv[1]).infolist()) != 65602)", zip.path,
    ]
    try other.run()
    other.waitUntilExit()
    #expect(other.terminationStatus == 0)
  }
}
