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

  @Test func progressIsToldSomeTimesASecondOnly() {
    let heard = Locked<[Int]>([])
    let control = InstallControl { progress in heard.withLock { $0.append(progress.files) } }
    var pacer = ProgressPacer(
      progress: InstallProgress(totalFiles: 1000, totalBytes: 1000), control: control)
    let start = DispatchTime.now()
    for number in 0..<1000 { pacer.add(bytes: 1, now: start + .milliseconds(number)) }
    #expect(heard.withLock { $0 } == [1, 101, 201, 301, 401, 501, 601, 701, 801, 901, 1000])
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
    #expect(throws: BundleFailure.self) { try result.get() }
    #expect((result.failure as? BundleFailure)?.code == .cancelled)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(try await installer.install(zip).written == 50)
  }

  /// In the midst of the files, as an app's time in the background ends.
  @Test func anInstallationIsCancelledBetweenTwoFiles() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: folder.appendingPathComponent("own"))
    let handle = Locked<BundleInstallation?>(nil)
    let isSet = DispatchSemaphore(value: 0)
    let installer = BundleInstaller(folder: folder)
    let queue = DispatchQueue(label: "test")
    let zip = zip
    let outcome = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<InstallReport, BundleFailure>, Never>) in
      let control = InstallControl { progress in
        isSet.wait()
        handle.withLock { $0?.cancel() }
        isSet.signal()
      }
      handle.withLock { $0 = BundleInstallation(control: control) }
      isSet.signal()
      queue.async {
        do throws(BundleFailure) {
          continuation.resume(returning: .success(try installer.install(zip, now: Date(), control: control)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    #expect(outcome.failure?.code == .cancelled)
    #expect(try tree(temporary.file("Caches")) == ["catalog/own": "mine"])
    #expect(try await installer.install(zip).written == 50)
  }

  @Test func theCompletionFormCallsOnItsQueueInOrder() async throws {
    let queue = DispatchQueue(label: "test")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let events = Locked<[String]>([])
    let installer = BundleInstaller(folder: folder)
    let report = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<InstallReport, any Error>) in
      installer.install(
        zip, on: queue,
        progress: { progress in
          let isHere = DispatchQueue.getSpecific(key: key) == true
          events.withLock { $0.append(isHere ? "progress" : "elsewhere") }
        },
        completion: { result in
          let isHere = DispatchQueue.getSpecific(key: key) == true
          events.withLock { $0.append(isHere ? "done" : "elsewhere") }
          continuation.resume(with: result)
        })
    }
    #expect(report.written == 50)
    let heard = events.withLock { $0 }
    #expect(heard.last == "done" && heard.dropLast().allSatisfy { $0 == "progress" } && heard.count > 1)
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

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
