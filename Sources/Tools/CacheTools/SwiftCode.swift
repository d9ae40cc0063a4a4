import ClientKit
import Text

/// Swift for an app: the requests whose keys a job warms, so that app and job cannot drift apart unseen.
extension WarmedRequests {
  /// - Parameter withKeys: also a list of keys, file names and digests for the app's unit test. A digest is known once
  ///   the job has run.
  package func swift(withKeys: Bool) -> String {
    let uses = uses()
    let names = WarmedRequests.names(of: uses, SwiftLiteral.identifier)
    let codes = zip(uses, names).map { use, name in use.client.code(coded(use, name)) }
    var parts = [Self.source]
    for (index, use) in uses.enumerated() {
      parts.append(
        """
        // \(SwiftLiteral.comment(use.label))

        \(codes[index].text)

        \(list(use, names[index]))
        """)
    }
    if withKeys { parts.append(keyTable(uses, names)) }
    let body = parts.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    let indented = body.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    let head = head(
      codes, "Foundation", importing: { "import \($0)" }, warning: { "#warning(\"\($0)\")" })
    return "\(head)\n\n\nenum Warmed {\n\(indented)\n}\n"
      + WarmedRequests.accessories(of: codes).map { "\n\($0)\n" }.joined()
  }

  private static let source = """
    struct Source: Sendable {
      let url: String
      /// In place of the URL in the key.
      let id: String?

      init(_ url: String, id: String? = nil) {
        self.url = url
        self.id = id
      }
    }
    """

  private func list(_ use: WarmedRequests.Use, _ name: String) -> String {
    let rows = listed(use).map { source in
      let id = source.id.map { ", id: \(SwiftLiteral.string(shown($0)))" } ?? ""
      return "  Source(\(SwiftLiteral.string(shown(source.url)))\(id)),"
    }
    return (note(use).map { "// \($0)\n" } ?? "") + """
      static let \(name)Sources: [Source] = [
      \(rows.joined(separator: "\n"))
      ]
      """
  }

  private func keyTable(_ uses: [WarmedRequests.Use], _ names: [String]) -> String {
    let rows = keys(uses, names).map { key in
      "  (\(SwiftLiteral.string(key.name)), \(SwiftLiteral.string(key.url)), "
        + "\(NumberText.plain(key.scale)), \(SwiftLiteral.string(key.key)), "
        + "\(SwiftLiteral.string(key.file)), \(SwiftLiteral.optional(key.digest))),"
    }
    return """
      /// What a test of the app compares its own keys with. `sha256` is that of the file, nil where it is not made yet.
      static let keys:
        [(chain: String, url: String, scale: Double, key: String, file: String, sha256: String?)] = [
      \(rows.map { "  " + $0 }.joined(separator: "\n"))
        ]
      """
  }
}
