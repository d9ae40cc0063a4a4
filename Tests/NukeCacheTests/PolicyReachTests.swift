import Testing

@testable import NukeCache

@Suite("Hits and misses", .timeLimit(.minutes(10)))
struct PolicyReachTests {
  static let thumbnail = RequestShape(hasThumbnail: true)

  /// The trap that makes many apps download their thumbnails on every launch.
  @Test(arguments: [
    (NukeVersion(12, 5, 0), LookupOutcome.exact(KeyPart(hasThumbnail: true))),
    (NukeVersion(12, 6, 0), .miss), (NukeVersion(12, 9, 0), .miss),
    (NukeVersion(13, 0, 0), .partial(.imageID)),
  ])
  func theOriginalOfAThumbnailIsOutOfReachIn12Point6To12Point9(version: NukeVersion, outcome: LookupOutcome) {
    #expect(
      DataCacheRules(version: version)
        .outcome(ofRepeating: Self.thumbnail, from: .http, policy: .storeOriginalData) == outcome)
  }

  @Test func aHitEarlierInTheChainIsPartial() {
    let rules = DataCacheRules(version: NukeVersion(12, 6, 0))
    let request = RequestShape(processorCount: 2)
    let first = KeyPart(processorCount: 1)
    #expect(rules.outcome(of: request, stored: [.imageID, first]) == .partial(first))
    #expect(rules.outcome(of: request, stored: [.imageID, request.fullKey]) == .exact(request.fullKey))
    #expect(rules.outcome(of: request, stored: [KeyPart(hasThumbnail: true)]) == .miss)
    #expect(rules.outcome(of: request, stored: []).key == nil)
  }

  @Test func offlineAProcessedRequestDoesNotFindTheOriginal() {
    let rules = DataCacheRules(version: .latest)
    let request = RequestShape(processorCount: 1, options: .returnCacheDataDontLoad)
    #expect(rules.outcome(of: request, stored: [.imageID]) == .miss)
    let thumbnail = RequestShape(hasThumbnail: true, options: .returnCacheDataDontLoad)
    #expect(rules.outcome(of: thumbnail, stored: [.imageID]) == .partial(.imageID))
  }

  /// Whatever the version and the request: what is written to be found is found, and first.
  @Test(arguments: PolicyTests.versions)
  func aReachableEntryIsAlwaysHit(version: NukeVersion) {
    let rules = DataCacheRules(version: version)
    for hasThumbnail in [false, true] where version >= NukeVersion(10, 4, 0) || !hasThumbnail {
      for processorCount in 0...3 {
        for isDataRequest in [false, true] {
          for options in [[], .disableDiskCacheWrites, .returnCacheDataDontLoad] as [RequestShape.Options] {
            let request = RequestShape(
              hasThumbnail: hasThumbnail, processorCount: processorCount, isDataRequest: isDataRequest,
              options: options)
            let entries = rules.reachableEntries(for: request)
            #expect(rules.outcome(of: request, stored: entries.map(\.key)) == .exact(request.fullKey))
          }
        }
      }
    }
  }

  @Test func whatIsWrittenToBeFoundIsFinishedUnlessTheRequestWantsBytes() {
    let rules = DataCacheRules(version: NukeVersion(12, 9, 0))
    #expect(rules.reachableEntries(for: RequestShape()) == [StoredEntry(.imageID, .original)])
    #expect(
      rules.reachableEntries(for: Self.thumbnail) == [StoredEntry(KeyPart(hasThumbnail: true), .encoded)])
    let data = RequestShape(processorCount: 1, isDataRequest: true)
    #expect(rules.reachableEntries(for: data) == [StoredEntry(KeyPart(processorCount: 1), .original)])
  }

  @Test func aRequestThatReadsNothingReachesNothing() {
    let rules = DataCacheRules(version: .latest)
    for options in [.disableDiskCacheReads, .reloadIgnoringCachedData] as [RequestShape.Options] {
      #expect(rules.reachableEntries(for: RequestShape(options: options)).isEmpty)
      #expect(rules.outcome(of: RequestShape(options: options), stored: [.imageID]) == .miss)
    }
  }
}
