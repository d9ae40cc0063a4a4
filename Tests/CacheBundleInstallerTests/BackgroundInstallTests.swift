import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import Concurrency

/// The forms that do not block their caller.
@Suite(.timeLimit(.minutes(10)))
struct BackgroundInstallTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let zip: URL
  private let bundle = SampleBundle(
    files: Dictionary(uniqueKeysWithValues: (0..<50).map { ("f\($0)", "picture \($0)") }))

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.file("Caches/catalog")
    zip = temporary.file("catalog.zip")
    try bundle.write(asZip: zip)
  }

  @Test func theAsyncFormInstallsAndTellsOfProgress() async throws {
    let heard = Locked<[InstallProgress]>([])
    let report = try await BundleInstaller(folder: folder).install(zip) { progress in
      heard.withLock { $0.append(progress) }
    }
    #expect(report.written == 50)
    #expect(try tree(folder) == bundle.files)
    let values = heard.withLock { $0 }
    #expect(values.last?.fraction == 1 && values.last?.files == 50 && values.last?.totalFiles == 50)
    #expect(values.first?.files == 1)
    #expect(values.map(\.bytes) == values.map(\.bytes).sorted())
    // Installed before: nothing to tell.
    heard.withLock { $0 = [] }
    #expect(try await BundleInstaller(folder: folder).install(zip).wasInstalled)
    #expect(heard.withLock { $0 }.isEmpty)
  }

  @Test func aCancelledTaskLeavesTheCacheAsItWasAndTheNextOneInstalls() async throws {
    let installer = BundleInstaller(folder: folder)
    let zip = zip
    let isCancelled = DispatchSemaphore(value: 0)
    let task = Task {
      try await installer.install(zip) { _ in
        // The installing thread goes on when the task has been cancelled.
        isCancelled.wait()
        isCancelled.signal()
      }
    }
    task.cancel()
    isCancelled.signal()
    let result = await task.result
    let failure = #expect(throws: BundleFailure.self) { try result.get() }
    #expect(failure?.code == .cancelled)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(try await installer.install(zip).written == 50)
  }

  /// In the midst of the files, as an app's time in the background ends.
  @Test func anInstallationIsCancelledBetweenTwoFiles() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: folder.appendingPathComponent("own"))
    let control = Locked<InstallControl?>(nil)
    let installer = BundleInstaller(folder: folder)
    let made = InstallControl { _ in control.withLock { $0?.cancel() } }
    control.withLock { $0 = made }
    let failure = #expect(throws: BundleFailure.self) {
      try installer.install(zip, now: Date(), control: made)
    }
    #expect(failure?.code == .cancelled)
    #expect(try tree(temporary.file("Caches")) == ["catalog/own": "mine"])
    #expect(try await installer.install(zip).written == 50)
  }

  @Test func whoWaitsForAnotherInstallationCanBeCancelledToo() throws {
    let lock = try InstallLock(folder: temporary.file("Caches/catalog.preheat-install").path)
    defer { lock.release() }
    let control = InstallControl()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { control.cancel() }
    let failure = #expect(throws: BundleFailure.self) {
      try BundleInstaller(folder: folder).install(zip, now: Date(), control: control)
    }
    #expect(failure?.code == .cancelled)
  }
}
