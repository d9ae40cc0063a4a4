import KingfisherCache
import Testing

@Suite(.timeLimit(.minutes(10)))
struct KingfisherVersionTests {
  @Test func versionsAreOrderedByTheirNumbers() {
    #expect(KingfisherVersion(7, 12, 0) < KingfisherVersion(8, 0, 0))
    #expect(KingfisherVersion(8, 9, 0) < KingfisherVersion(8, 11, 0))
  }
}
