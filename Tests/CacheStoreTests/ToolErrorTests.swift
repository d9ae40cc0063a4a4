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
    let error = ToolError(StoreFailure(code, "it failed"), isReading: isReading)
    #expect("\(error.code)" == expected && error.message == "it failed")
    let bundle = ToolError(StoreFailure(code, "it failed"), isReading: isReading, of: ToolError.Code.bundle)
    #expect("\(bundle.code)" == expected.replacing("cache", with: "bundle"))
  }
}
