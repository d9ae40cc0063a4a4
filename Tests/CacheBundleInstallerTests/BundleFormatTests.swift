import CacheBundleInstaller
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BundleFormatTests {
  @Test func theIndexIsJSON() {
    #expect(BundleFormat.indexName == "index.json")
  }
}
