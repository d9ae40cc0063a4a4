import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// An app that knows a key takes bundles of that key, and no older ones.
@Suite(.timeLimit(.minutes(10)))
struct SignedBundleTests: InstallScene {
  let temporary = TemporaryFolder.new
  private let keys: [TestKey]

  init() throws { keys = try (0..<3).map(TestKey.init) }

  private func sample(
    _ signers: [Int] = [0], counter: Int = 1, files: [String: String]? = nil
  ) -> SampleBundle {
    var bundle = SampleBundle(keys: signers.map { keys[$0] }, counter: counter)
    if let files { bundle.files = files }
    return bundle
  }

  private func installer(_ accepted: [Int]?, minimumCounter: Int) -> BundleInstaller {
    BundleInstaller(
      folder: folder, publicKeys: accepted.map { $0.map { keys[$0].known } }, minimumCounter: minimumCounter)
  }

  @discardableResult
  private func install(_ accepted: [Int]? = [0], minimumCounter: Int = 0) throws -> InstallReport {
    try installer(accepted, minimumCounter: minimumCounter).install(zip)
  }

  private func refusal(_ accepted: [Int]? = [0], minimumCounter: Int = 0) -> BundleFailure.Code? {
    refusal(by: installer(accepted, minimumCounter: minimumCounter))?.code
  }

  private func everything() throws -> [String: String] {
    try tree(temporary.url).filter { $0.key != "catalog.zip" }
  }

  @Test func aBundleOfTheKeyIsInstalledAndTheReportNamesTheKey() throws {
    try sample().write(asZip: zip)
    #expect(try install().signedBy == [keys[0].known.id])
    let again = try install()
    #expect(again.wasInstalled && again.signedBy == [keys[0].known.id])
    #expect(try tree(folder) == sample().files)
  }

  @Test func aFolderIsCheckedLikewise() throws {
    try sample().write(asFolder: bundle)
    #expect(try installer([0], minimumCounter: 0).install(bundle).written == 3)
    let other = BundleInstaller(folder: temporary.file("Caches/other"), publicKeys: [keys[1].known])
    #expect(refusal(of: bundle, by: other)?.code == .signature)
    try FileManager.default.removeItem(at: bundle.appendingPathComponent("signature"))
    let third = BundleInstaller(folder: temporary.file("Caches/third"))
    #expect(refusal(of: bundle, by: third)?.code == .signature)
  }

  @Test func withoutKeysASignedBundleInstallsLikeAnyOther() throws {
    try sample().write(asZip: zip)
    #expect(try install(nil).signedBy.isEmpty)
    #expect(try tree(folder) == sample().files)
  }

  @Test func unsignedStrangersAndAnEmptyListOfKeysAreRefusedBeforeAnythingIsTouched() throws {
    try SampleBundle().write(asZip: zip)
    #expect(refusal() == .signature)
    try sample([1]).write(asZip: zip)
    #expect(refusal() == .signature && refusal([]) == .signature)
    // A floor alone asks for a signature, and nobody's is accepted.
    #expect(refusal(nil, minimumCounter: 1) == .signature)
    #expect(try everything().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: temporary.file("Caches").path))
  }

  @Test func theIndexOfOneBundleDoesNotGoWithTheSignatureOfAnother() throws {
    let other = try sample(counter: 2, files: ["aaaa": "first"]).contents()
    try sample().write(asZip: zip) { all in all[1] = other[1] }
    #expect(refusal() == .signature)
    // Nor do files that have changed places, even of one size.
    try sample(files: ["aaaa": "first", "bbbb": "other"]).write(asZip: zip) { all in
      (all[3].data, all[4].data) = (all[4].data, all[3].data)
    }
    #expect(refusal() == .digest)
    #expect(try everything().isEmpty)
  }

  /// Who signs again with a key of their own can change everything, and gets nowhere.
  @Test func aBundleThatIsSignedAgainBySomebodyElse() throws {
    try sample([2], counter: 9, files: ["aaaa": "evil"]).write(asZip: zip)
    #expect(refusal([0, 1]) == .signature)
    // The line of the right key, copied from a bundle of its own, does not help.
    let right = try sample().contents()[1].data
    try sample([2], counter: 9, files: ["aaaa": "evil"]).write(asZip: zip) { all in all[1].data = right }
    #expect(refusal([0, 1]) == .signature)
    #expect(try everything().isEmpty)
  }

  @Test func anOlderBundleIsRefusedAndTheCacheStays() throws {
    try sample(counter: 7).write(asZip: zip)
    try install()
    let before = try everything()
    try sample(counter: 6, files: ["aaaa": "old"]).write(asZip: zip)
    #expect(refusal() == .rollback)
    // As old, and another.
    try sample(counter: 7, files: ["aaaa": "other"]).write(asZip: zip)
    #expect(refusal() == .rollback)
    #expect(try everything() == before)
    try sample(counter: 8, files: ["aaaa": "new"]).write(asZip: zip)
    #expect(try install().written == 1)
  }

  /// The state is there already, so an app reads nothing else; who tries a bundle wants all of it proved.
  @Test func aBundleOfTheSameStateIsProvedWhereThatIsAskedFor() throws {
    try sample(counter: 7).write(asZip: zip)
    try install()
    let whole = try Data(contentsOf: zip)
    var installer = BundleInstaller(folder: folder, publicKeys: [keys[0].known])
    #expect(try installer.install(zip).wasInstalled)
    installer.provesAgain = true
    let again = try installer.install(zip)
    #expect(!again.wasInstalled && again.written == 0 && again.present == 3)
    let before = try everything()
    for place in stride(from: 0, to: whole.count, by: 7) {
      var bytes = whole
      bytes[place] ^= 4
      try bytes.write(to: zip)
      #expect(throws: BundleFailure.self, "byte \(place)") { try installer.install(zip) }
    }
    try sample(counter: 6).write(asZip: zip)
    #expect(refusal(by: installer)?.code == .rollback)
    #expect(try everything() == before)
    try sample(counter: 8).write(asZip: zip)
    #expect(try installer.install(zip).present == 3)
    try sample(counter: 7).write(asZip: zip)
    #expect(throws: BundleFailure.self) { try installer.install(zip) }
  }

  @Test func theCounterOutlivesUnsignedBundlesAndKilledInstallations() throws {
    try sample(counter: 7).write(asZip: zip)
    try install()
    try SampleBundle(files: ["dddd": "unsigned"]).write(asZip: zip)
    try install(nil)
    try sample(counter: 6, files: ["aaaa": "old"]).write(asZip: zip)
    #expect(refusal() == .rollback)
    // Killed between marker and renames: the state is not known, its counter is.
    var marker = try InstallMarker.read(beside: folder)
    marker.id = nil
    let ninth = sample(counter: 9, files: ["eeee": "ninth"]).index
    marker.facts.count(ninth, BundleProof(keys: [], counter: 9), after: .init())
    try marker.write(beside: folder, staging: temporary.file("staging"))
    try sample(counter: 8, files: ["aaaa": "eighth"]).write(asZip: zip)
    #expect(refusal() == .rollback)
    try sample(counter: 9, files: ["eeee": "ninth"]).write(asZip: zip)
    #expect(try install().written == 1)
  }

  @Test func theLowestCounterIsTheApps() throws {
    try sample(counter: 4).write(asZip: zip)
    #expect(refusal(minimumCounter: 5) == .rollback)
    #expect(try everything().isEmpty)
    #expect(try install(minimumCounter: 4).written == 3)
    // The marker is not enough for an app that has raised it since.
    #expect(refusal(minimumCounter: 5) == .rollback)
  }

  /// What was installed unproved is not taken for proved because its id is the same.
  @Test func anInstallationWithoutKeysDoesNotCount() throws {
    try SampleBundle().write(asZip: zip)
    try install(nil)
    #expect(refusal() == .signature)
    try sample().write(asZip: zip)
    let report = try install()
    #expect(!report.wasInstalled && report.present == 3 && report.signedBy.count == 1)
    #expect(try install().wasInstalled)
    // Nor does that of another key.
    #expect(refusal([1]) == .signature)
  }

  @Test func keysAreReplacedByTwoSignatures() throws {
    try sample([0, 1]).write(asZip: zip)
    for accepted in [[0], [1], [1, 2], [0, 1]] {
      let target = temporary.file("Caches/\(accepted)/catalog")
      let report = try BundleInstaller(folder: target, publicKeys: accepted.map { keys[$0].known }).install(
        zip)
      #expect(report.signedBy == accepted.filter { $0 < 2 }.map { keys[$0].known.id })
    }
    #expect(refusal([2]) == .signature)
    // An app with the new key alone proves again what the old key proved.
    try install([0])
    #expect(try install([1]).present == 3)
    // Nothing can be left out of the signature, also not a line that the app does not know.
    let lines = try sample([0, 1]).contents()[1].data.split(separator: 10).map { Data($0) + Data([10]) }
    for changed in [lines[0], lines[1], lines[1] + lines[0], lines[0] + lines[0]] {
      try sample([0, 1], counter: 2).write(asZip: zip) { all in all[1].data = changed }
      #expect(refusal([0]) == .signature)
    }
  }

  @Test func aReaderAsksForTheSignatureToo() throws {
    try sample(counter: 3).write(asZip: zip)
    let bundle = try CacheBundle(at: zip)
    let reader = try BundleReader(bundle, publicKeys: [keys[0].known], minimumCounter: 3)
    #expect(reader.data(named: "aaaa") == Data("first".utf8))
    for (accepted, counter, code) in [
      (1, 0, BundleFailure.Code.signature), (0, 4, .rollback),
    ] {
      let failure = #expect(throws: BundleFailure.self) {
        try BundleReader(bundle, publicKeys: [keys[accepted].known], minimumCounter: counter)
      }
      #expect(failure?.code == code)
    }
  }

  /// Every bit of every byte of a bundle with two signatures, of which the app knows one.
  @Test func everyFlippedBitOfASignedBundleIsRefused() throws {
    try sample([0, 1], files: ["aaaa": "first"]).write(asZip: zip)
    let whole = try Data(contentsOf: zip)
    let installer = BundleInstaller(folder: folder, publicKeys: [keys[0].known])
    for position in whole.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[position] ^= 1 << UInt8(bit)
        try damaged.write(to: zip)
        #expect(throws: BundleFailure.self, "bit \(bit) of byte \(position)") { try installer.install(zip) }
      }
    }
    for length in whole.indices {
      try whole.prefix(length).write(to: zip)
      #expect(throws: BundleFailure.self, "cut to \(length) bytes") { try installer.install(zip) }
    }
    #expect(try everything().isEmpty)
    try whole.write(to: zip)
    #expect(try installer.install(zip).written == 1)
  }

  @Test func aPublicKeyIsReadAsOpenSSLWritesIt() throws {
    let pem = """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=
      -----END PUBLIC KEY-----

      """
    #expect(try BundlePublicKey(pem: pem) == keys[0].known)
    #expect(try BundlePublicKey(pem: pem.replacingOccurrences(of: "\n", with: "\r\n")) == keys[0].known)
    for (text, words) in [
      ("", "not a public key"), (pem.replacingOccurrences(of: "MCow", with: "MCox"), "not one of Ed25519"),
      (pem.replacingOccurrences(of: "PUBLIC", with: "PRIVATE"), "private key"),
      (pem.replacingOccurrences(of: "gCU=", with: "gCU"), "not a public key"),
    ] {
      let failure = #expect(throws: BundleFailure.self) { try BundlePublicKey(pem: text) }
      #expect(failure?.code == .signature && failure?.message.contains(words) == true, "\(text)")
    }
    #expect(throws: BundleFailure.self) { try BundlePublicKey(rawRepresentation: [1, 2, 3]) }
  }
}
