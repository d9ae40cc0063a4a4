import Testing

@testable import Signposts

@Suite(.timeLimit(.minutes(10)))
struct SignpostNameTests {
  @Test func everyNameIsWrittenOnce() {
    let names = SignpostName.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
    #expect(names.contains("LoadImageData"))
  }
}
