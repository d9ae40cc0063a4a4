import Foundation
import Testing

@testable import KingfisherCache

@Suite(.timeLimit(.minutes(10)))
struct ExpirationTests {
  static let now = Date(timeIntervalSince1970: 1_767_225_600)

  @Test(arguments: [
    (StorageExpiration.seconds(10), 1_767_225_610.0 as Double?),
    (.seconds(0.25), 1_767_225_601),
    (.days(7), 1_767_830_400),
    (.date(Date(timeIntervalSince1970: 1_800_000_000.5)), 1_800_000_001),
    // 4001 in Kingfisher, which no file system or archive keeps.
    (.never, 2_145_830_400),
    (.date(.distantFuture), 4_102_358_400),
    (.days(.max), 4_102_358_400),
    (.seconds(.infinity), 4_102_358_400),
    (.seconds(.nan), nil),
    (.seconds(0), nil), (.seconds(-1), nil), (.days(0), nil), (.days(.min), nil), (.expired, nil),
    (.date(now), nil), (.date(.distantPast), nil),
  ])
  func aFileOfAnExpirationGetsThisModificationDate(expiration: StorageExpiration, seconds: Double?) {
    let date = expiration.modificationDate(from: Self.now)
    #expect(date?.timeIntervalSince1970 == seconds)
  }

  @Test func aFractionOfNowIsRoundedUpToo() {
    let now = Self.now.addingTimeInterval(0.001)
    let date = StorageExpiration.seconds(5).modificationDate(from: now)
    #expect(date == Self.now.addingTimeInterval(6))
  }

  @Test func neverMovesOnBeforeItComes() throws {
    let lateDate = Date(timeIntervalSince1970: 2_140_000_000)
    let date = try #require(StorageExpiration.never.modificationDate(from: lateDate))
    #expect(date == StorageExpiration.latest)
  }
}
