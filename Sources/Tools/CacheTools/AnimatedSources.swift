import Fetching
import FileStore
import Pictures
import Planning
import Text

/// Which of a plan's sources are animated, as far as that shows without a network: in a file, in a `data:` URL, in what an
/// earlier run stored.
package struct AnimatedSources: Sendable {
  private let plan: Plan
  /// Bytes of a file that say of a PNG whether it is animated, and of the others that they have to be read whole.
  private static let headBytes = 64 << 10

  package init(_ plan: Plan) { self.plan = plan }

  /// The renditions of a source, as they are for what it is.
  package func renditions(ofSource source: Int) -> [PlannedRendition] {
    let rows = plan.rows(ofSource: source)
    let kind = kind(ofSource: source)
    return rows.map { row in
      var rendition = plan.rendition(at: row, as: kind)
      if kind == nil, let likely = likelyKind(ofSource: source), rendition.note == nil,
        let note = plan.rendition(at: row, as: likely).note
      {
        rendition.note = "by its name the source may be animated; \(note)"
      }
      return rendition
    }
  }

  /// By the extension of the URL's path.
  private func likelyKind(ofSource source: Int) -> AnimatedKind? {
    ["gif": .gif, "apng": .apng][pathExtension(ofSource: source)]
  }

  private func pathExtension(ofSource source: Int) -> String {
    let path = plan.sources[source].url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let name = path.split(separator: UInt8(ascii: "/")).last,
      let dot = name.lastIndex(of: UInt8(ascii: "."))
    else { return "" }
    return String(Substring(name[dot...].dropFirst())).lowercased()
  }

  /// Nil for a still, and where nothing shows it.
  private func kind(ofSource source: Int) -> AnimatedKind? {
    // Most sources are photographs, and a plan of a million of them opens no files.
    if ["jpg", "jpeg"].contains(pathExtension(ofSource: source)) { return nil }
    let (url, scheme) = (plan.sources[source].url, plan.sources[source].scheme)
    switch scheme {
    case .data:
      let bytes = try? SourceLoader.read(
        local: url, isFile: false, maxBytes: RenderLimits().maxBytes, within: nil)
      return bytes.flatMap { AnimatedKind($0.bytes) }
    case .file:
      guard let path = PathText.path(ofFileURL: url), plan.settings.trustedRoots?.holds(path) ?? true else {
        return nil
      }
      return kind(ofFile: path)
    case .http, .https: return storedKind(ofSource: source)
    }
  }

  /// By an original in the cache folder, or by the request's own entry, which may hold its frames.
  private func storedKind(ofSource source: Int) -> AnimatedKind? {
    for row in plan.rows(ofSource: source) {
      let names =
        plan.client.fileNames(forKey: plan.baseKey(of: row)) + plan.possibleStores(at: row).map(\.fileName)
      for name in names {
        if let kind = kind(ofFile: "\(plan.settings.cache)/\(name)") { return kind }
      }
    }
    return nil
  }

  private func kind(ofFile path: String) -> AnimatedKind? {
    guard let head = FileStore.beginning(of: path, count: Self.headBytes),
      let format = ImageFormat.sniff(head)
    else { return nil }
    guard format.facts.mustBeWhole, head.count == Self.headBytes else { return AnimatedKind(head) }
    return FileStore.beginning(of: path, count: RenderLimits().maxBytes).flatMap { AnimatedKind($0) }
  }
}
