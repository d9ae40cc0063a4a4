import ClientKit
import Fetching
import FileStore
import Foundation
import Pictures
import Planning
import Text

/// Which of a plan's sources are animated, as far as that shows without a network: in a file, in a `data:` URL, in what an
/// earlier run stored.
package struct AnimatedSources: Sendable {
  private let plan: Plan
  /// Of a source, by the job's limits.
  private let maxBytes: Int
  /// Bytes of a file that say of a PNG whether it is animated, and of the others that they have to be read whole.
  private static let headBytes = 64 << 10

  package init(_ plan: Plan) {
    self.plan = plan
    maxBytes = plan.settings.values.limits().maxBytes
  }

  /// Whether a source is a still as far as its name tells. Most are photographs, and a plan of a million of them opens
  /// no files.
  ///
  /// - Parameter storesNothing: where the cache is empty, so that nothing there tells more.
  package func isStill(_ url: String, _ scheme: SourceScheme, storesNothing: Bool) -> Bool {
    let pathExtension = Self.pathExtension(of: url)
    return Self.isPhotograph(pathExtension)
      || storesNothing && scheme.isWeb && Self.likelyKinds[pathExtension] == nil
        && !AnimatedKind.rarerNames.contains(pathExtension)
  }

  /// The renditions of a source, as they are for what it is.
  package func renditions(ofSource source: Int) -> [PlannedRendition] {
    let (url, scheme) = (plan.sources[source].url, plan.sources[source].scheme)
    let pathExtension = Self.pathExtension(of: url)
    let kind = Self.isPhotograph(pathExtension) ? nil : kind(ofSource: source, url, scheme)
    var renditions = plan.renditions(ofSource: source, as: kind)
    // Few clients store such stills in a way of their own, and a plan may have a million of them.
    let isRare =
      AnimatedKind.rarerNames.contains(pathExtension)
      && plan.rows(ofSource: source).contains { plan.storage(of: $0).animated[.rarer] != nil }
    guard kind == nil, let likely = isRare ? .rarer : Self.likelyKinds[pathExtension] else {
      return renditions
    }
    for (index, other) in plan.renditions(ofSource: source, as: likely).enumerated() {
      guard renditions[index].note == nil, let note = other.note else { continue }
      renditions[index].note = "by its name the source may be \(isRare ? "a" : "animated;") \(note)"
    }
    return renditions
  }

  private static let likelyKinds: [String: AnimatedKind] = ["gif": .gif, "apng": .apng]

  private static func isPhotograph(_ pathExtension: String) -> Bool {
    pathExtension == "jpg" || pathExtension == "jpeg"
  }

  private static func pathExtension(of url: String) -> String {
    var path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    // A path may end with slashes, which are not of the name.
    while path.last == UInt8(ascii: "/") { path.removeLast() }
    let dot = path.lastIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
    guard let dot, path[dot] == UInt8(ascii: ".") else { return "" }
    return Substring(path[path.index(after: dot)...]).lowercased()
  }

  /// Nil for a still, and where nothing shows it.
  private func kind(ofSource source: Int, _ url: String, _ scheme: SourceScheme) -> AnimatedKind? {
    switch scheme {
    case .data:
      let bytes = try? SourceLoader.read(local: url, isFile: false, maxBytes: maxBytes, within: nil)
      return bytes.flatMap { AnimatedKind($0.bytes) }
    case .file:
      guard let path = PathText.path(ofFileURL: url), plan.settings.given.trust.roots?.holds(path) ?? true
      else {
        return nil
      }
      return kind(ofFile: path)
    case .http, .https: return storedKind(ofSource: source)
    }
  }

  /// By an original in the cache folder, or by the request's own entry, which may hold its frames.
  private func storedKind(ofSource source: Int) -> AnimatedKind? {
    for row in plan.rows(ofSource: source) {
      for name in plan.originalFiles(at: row) + plan.possibleFiles(at: row) {
        if let kind = kind(ofFile: "\(plan.settings.cache)/\(name)") { return kind }
      }
    }
    return nil
  }

  private func kind(ofFile path: String) -> AnimatedKind? {
    let files = FileStore(existing: URL(fileURLWithPath: PathText.folder(of: path)))
    // A plan only foretells: the run reads the file again.
    guard let name = PathText.name(of: path),
      let head = try? files.beginning(of: name, count: Self.headBytes),
      let format = ImageFormat.sniff(head)
    else { return nil }
    guard format.facts.mustBeWhole, head.count == Self.headBytes else { return AnimatedKind(head) }
    return (try? files.beginning(of: name, count: maxBytes)).flatMap { AnimatedKind($0) }
  }
}
