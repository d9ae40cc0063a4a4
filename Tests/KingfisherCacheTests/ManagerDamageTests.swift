import Foundation
import TestSupport
import Testing

@testable import KingfisherCache

/// Files under a request's name that are no images, and forced extensions, by version.
@Suite(.timeLimit(.minutes(10)))
struct ManagerDamageTests {
  enum Outcome { case hit, downloads, fails }

  private func outcome(_ requests: ManagerKit, _ options: KingfisherOptionsInfoItem...) async throws
    -> Outcome
  {
    do {
      _ = try await requests.manager.retrieveImage(with: requests.url, options: options)
      await requests.manager.waitForStores()
      return requests.downloader.count == 0 ? .hit : .downloads
    } catch {
      #expect((error as KingfisherError).isImageNotExisting)
      return .fails
    }
  }

  @Test(arguments: [Data(), Data("<html>".utf8)])
  func aDamagedEntryFailsTheRequestInEveryVersion(bytes: Data) async throws {
    for version in [KingfisherVersion(5, 0, 0), KingfisherVersion(7, 12, 0), .latest] {
      let requests = try ManagerKit(version: version)
      try requests.kit.plant(bytes, requests.key)
      #expect(try await outcome(requests) == .fails)
    }
  }

  @Test func aDamagedProcessedEntryIsNotMadeOfItsOriginal() async throws {
    let requests = try ManagerKit()
    try requests.kit.plant(.pngBeginning(100, 50), requests.key)
    try requests.kit.plant(Data(), requests.blurredKey)
    #expect(try await outcome(requests, .processor(ManagerKit.blur)) == .fails)
  }

  @Test(arguments: [
    (KingfisherVersion(5, 10, 0), Outcome.fails), (KingfisherVersion(8, 7, 0), .fails),
    (KingfisherVersion(8, 8, 0), .downloads), (.latest, .downloads),
  ])
  func aDamagedOriginalIsDownloadedAgainSince880(version: KingfisherVersion, expected: Outcome) async throws {
    let requests = try ManagerKit(version: version)
    try requests.kit.plant(Data("x".utf8), requests.key)
    #expect(try await outcome(requests, .processor(ManagerKit.blur)) == expected)
  }

  /// What is there, what is asked, and the outcome of 8.7.0 and of 8.9.0 and later.
  @Test(arguments: [
    (["jpg"], false, Outcome.downloads, Outcome.hit), ([""], false, .fails, .downloads),
    (["", "jpg"], false, .hit, .hit), (["", "jpg"], true, .hit, .hit), ([""], true, .fails, .downloads),
  ])
  func forcedExtensionsHaveTheirTraps(
    extensions: [String], isProcessed: Bool, before: Outcome, since: Outcome
  ) async throws {
    for (version, expected) in [(KingfisherVersion(8, 7, 0), before), (.latest, since)] {
      let requests = try ManagerKit(version: version)
      let bare = try requests.cache.hash(forKey: requests.key)
      for text in extensions {
        let name = text.isEmpty ? bare : "\(bare).\(text)"
        try requests.kit.disk.readyStore().write(
          .pngBeginning(100, 50), as: name,
          dates: .init(access: TestClock.start, modification: TestClock.start.addingTimeInterval(100)))
      }
      let processor: any ImageProcessor = isProcessed ? ManagerKit.blur : DefaultImageProcessor.default
      let result = try await outcome(requests, .forcedCacheFileExtension("jpg"), .processor(processor))
      #expect(result == expected, "\(version)")
    }
  }
}
