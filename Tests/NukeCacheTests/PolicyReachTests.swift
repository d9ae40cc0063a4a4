import Testing

@testable import NukeCache

@Suite("Hits and misses", .timeLimit(.minutes(10)))
struct PolicyReachTests {
  static let thumbnail = RequestShape(hasThumbnail: true)

  /// The trap that makes many apps download their thumbnails on every launch.
  @Test(arguments: [
    (NukeVersion(12, 5, 0), KeyPart(hasThumbnail: true)), (NukeVersion(12, 6, 0), nil),
    (NukeVersion(12, 9, 0), nil), (NukeVersion(13, 0, 0), .imageID),
  ])
  func theOriginalOfAThumbnailIsOutOfReachIn12Point6To12Point9(version: NukeVersion, found: KeyPart?) {
    let rules = version
    let stored = rules.storedEntries(for: Self.thumbnail, from: .http, policy: .storeOriginalData)
    #expect(rules.found(by: Self.thumbnail, stored: stored.map(\.key)) == found)
  }

  @Test func aHitEarlierInTheChainIsPartial() {
    let rules = NukeVersion(12, 6, 0)
    let request = RequestShape(processorCount: 2)
    let first = KeyPart(processorCount: 1)
    #expect(rules.found(by: request, stored: [.imageID, first]) == first)
    #expect(rules.found(by: request, stored: [.imageID, request.fullKey]) == request.fullKey)
    #expect(rules.found(by: request, stored: [KeyPart(hasThumbnail: true)]) == nil)
    #expect(rules.found(by: request, stored: []) == nil)
  }

  @Test func offlineAProcessedRequestDoesNotFindTheOriginal() {
    let rules = NukeVersion.latest
    let request = RequestShape(processorCount: 1, options: .returnCacheDataDontLoad)
    #expect(rules.found(by: request, stored: [.imageID]) == nil)
    let thumbnail = RequestShape(hasThumbnail: true, options: .returnCacheDataDontLoad)
    #expect(rules.found(by: thumbnail, stored: [.imageID]) == .imageID)
  }

  /// Whatever the version and the request: what is written to be found is found, and first.
  @Test(arguments: PolicyTests.versions)
  func aReachableEntryIsAlwaysHit(version: NukeVersion) {
    let rules = version
    for hasThumbnail in [false, true] where version >= NukeVersion(10, 4, 0) || !hasThumbnail {
      for processorCount in 0...3 {
        for options in [[], .disableDiskCacheWrites, .returnCacheDataDontLoad] as [RequestShape.Options] {
          let request = RequestShape(
            hasThumbnail: hasThumbnail, processorCount: processorCount, options: options)
          let entries = rules.reachableEntries(for: request)
          #expect(rules.found(by: request, stored: entries.map(\.key)) == request.fullKey)
        }
      }
    }
  }

  @Test func whatIsWrittenToBeFoundIsFinished() {
    let rules = NukeVersion(12, 9, 0)
    #expect(rules.reachableEntries(for: RequestShape()) == [StoredEntry(.imageID, .original)])
    #expect(
      rules.reachableEntries(for: Self.thumbnail) == [StoredEntry(KeyPart(hasThumbnail: true), .encoded)])
  }

  @Test func aRequestThatReadsNothingReachesNothing() {
    let rules = NukeVersion.latest
    for options in [.disableDiskCacheReads, .reloadIgnoringCachedData] as [RequestShape.Options] {
      #expect(rules.reachableEntries(for: RequestShape(options: options)).isEmpty)
      #expect(rules.found(by: RequestShape(options: options), stored: [.imageID]) == nil)
    }
  }
}
