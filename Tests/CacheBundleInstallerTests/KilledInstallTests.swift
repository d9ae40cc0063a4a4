import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import FileStore

/// An installation that is killed at any of its calls leaves whole files, and the next one completes it.
@Suite(.timeLimit(.minutes(10)))
struct KilledInstallTests {
  private static var first: SampleBundle { SampleBundle() }
  private static var second: SampleBundle {
    SampleBundle(files: ["aaaa": "first, better", "bbbb": "second picture", "dddd": "4"])
  }

  /// A device with the first bundle installed, or with nothing.
  private struct Device {
    let temporary: TemporaryFolder
    let folder: URL
    let zip: URL

    init(isNew: Bool) throws {
      temporary = try TemporaryFolder()
      folder = temporary.file("Caches/catalog")
      zip = temporary.file("catalog.zip")
      if !isNew {
        try KilledInstallTests.first.write(asZip: zip)
        try BundleInstaller(folder: folder).install(zip)
      }
      try KilledInstallTests.second.write(asZip: zip)
    }

    var visible: [String: String] { (try? tree(folder)) ?? [:] }
  }

  @Test(arguments: [true, false])
  func anInstallationKilledAnywhereIsCompletedByTheNext(isNew: Bool) async throws {
    let calls = try await KilledWork.atEachCall(
      of: { try Device(isNew: isNew) },
      { device, calls in
        var installer = BundleInstaller(folder: device.folder)
        installer.calls = calls
        try installer.install(device.zip)
      },
      then: { device, moment in
        for (name, text) in device.visible {
          #expect([Self.first.files[name], Self.second.files[name]].contains(text), "\(moment): \(name)")
        }
        let report = try BundleInstaller(folder: device.folder).install(device.zip)
        #expect(report.kept == 0, "\(moment)")
        #expect(device.visible == Self.second.files, "\(moment)")
        let beside = try FileManager.default.contentsOfDirectory(atPath: device.temporary.file("Caches").path)
        #expect(beside.sorted() == ["catalog", "catalog.preheat-bundle"], "\(moment)")
      })
    #expect(Set(calls).isSuperset(of: [.open, .write, .synchronize, .rename, .remove]))
  }
}
