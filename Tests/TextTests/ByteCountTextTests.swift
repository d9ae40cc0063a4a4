import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct ByteCountTextTests {
  @Test(arguments: [
    ("0", 0), ("500000", 500_000), ("64K", 65_536), ("64k", 65_536), ("100M", 104_857_600),
    ("2G", 2_147_483_648),
  ])
  func unitsArePowersOf1024(text: String, bytes: Int) {
    #expect(ByteCountText.value(text) == bytes)
  }

  @Test(arguments: [
    "", "K", "-1", "1.5M", "1 M", "1MB", "0x10", "9999999999999999999", "9999999999999G", "+5",
  ])
  func anythingElseIsNoNumberOfBytes(text: String) {
    #expect(ByteCountText.value(text) == nil)
  }
}
