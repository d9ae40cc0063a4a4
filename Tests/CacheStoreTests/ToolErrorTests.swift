import Testing

@testable import CacheStore
@testable import Planning

struct ToolErrorTests {
  @Test func aToolErrorIsPrintedWithItsAdviceAndItsCode() {
    let error = ToolError(.bundle(.limit), "too large", advice: "add --drop")
    #expect("\(error)" == "too large; add --drop (bundle.limit)")
    #expect("\(ToolError(.cache(.write), "no space"))" == "no space (cache.write)")
  }

  @Test(arguments: [
    (StoreFailure.Code.locked, false, "cache.locked"), (.full, false, "cache.write"),
    (.notWritable, false, "cache.write"), (.ledger, false, "cache.write"), (.ledger, true, "cache.input"),
    (.notWritable, true, "cache.input"), (.locked, true, "cache.locked"),
  ])
  func aStoresFailureIsReadingOrWriting(code: StoreFailure.Code, isReading: Bool, expected: String) {
    for kind in [ToolError.Code.cache, ToolError.Code.bundle] {
      let area = "\(kind(.read))".prefix { $0 != "." }
      let error = #expect(throws: ToolError.self) {
        try ToolError.of(isReading: isReading, kind) { throw StoreFailure(code, "it failed") }
      }
      #expect(error.map { "\($0.code)" } == expected.replacing("cache", with: area))
      #expect(error?.message == "it failed")
    }
  }
}
