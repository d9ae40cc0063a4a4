import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct ByteCountTextTests {
  @Test(arguments: [
    ("0", 0), ("500000", 500_000), ("64K", 65_536), ("64k", 65_536), ("100M", 104_857_600),
    ("2G", 2_147_483_648), ("64KiB", 65_536), ("100mib", 104_857_600), ("2GiB", 2_147_483_648),
  ])
  func unitsArePowersOf1024(text: String, bytes: Int) {
    #expect(ByteCountText.value(text) == bytes)
  }

  @Test(arguments: [
    "", "K", "-1", "1.5M", "1 M", "1MB", "1kB", "1Ki", "1KiBs", "MiB", "0x10", "9999999999999999999",
    "9999999999999G", "+5",
  ])
  func anythingElseIsNoNumberOfBytes(text: String) {
    #expect(ByteCountText.value(text) == nil)
  }

  @Test(arguments: [
    (0, "0 B", "0 B"), (1023, "1023 B", "1023 B"), (1024, "1 KiB", "1.0 KiB"),
    (46_285, "45.2 KiB", "45.2 KiB"),
    (1_048_524, "1023.9 KiB", "1023.9 KiB"), (1_048_525, "1 MiB", "1.0 MiB"),
    (157_286_400, "150 MiB", "150.0 MiB"), (-157_286_400, "-150 MiB", "-150.0 MiB"),
    (2_684_354_560, "2.5 GiB", "2.5 GiB"), (7_696_581_394_432_000, "7,000 TiB", "7,000.0 TiB"),
  ])
  func whatIsShownIsCountedLikeWhatIsRead(bytes: Int, text: String, steady: String) {
    #expect(ByteCountText.text(bytes) == text)
    #expect(ByteCountText.text(bytes, keepsTenths: true) == steady)
  }

  @Test(arguments: [1024, 65_536, 157_286_400, 5 << 30])
  func aRoundSizeIsReadAsItIsShown(bytes: Int) {
    #expect(ByteCountText.value(ByteCountText.text(bytes).replacing(" ", with: "")) == bytes)
  }
}
