/// The client of a bundle by name, and the version that keys and names are made for.
struct BundleClient: Hashable, Sendable {
  var name: String
  var version: String

  init(_ index: BundleIndex) {
    name = index.client
    version = index.clientVersion
  }

  /// `nuke 12.9.0`; nil for anything else.
  init?(text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard words.count == 2 else { return nil }
    name = String(words[0])
    version = String(words[1])
  }

  var text: String { "\(name) \(version)" }

  /// - Parameter other: the app's version; nil for one that nobody named.
  /// - Throws: ``BundleFailure`` with `client` where the major versions differ.
  func check(against other: String?) throws(BundleFailure) {
    guard let other else { return }
    guard let theirs = Self.major(of: other) else {
      throw BundleFailure(.client, "'\(other)' is not a version of \(name), such as \(version)")
    }
    guard Self.major(of: version) == theirs else {
      throw BundleFailure(
        .client, "the bundle is made for \(text), and the app has version \(other); make it for that version")
    }
  }

  private static func major(of version: String) -> Int? {
    version.split(separator: ".", omittingEmptySubsequences: false).first.flatMap { Int($0) }
  }
}
