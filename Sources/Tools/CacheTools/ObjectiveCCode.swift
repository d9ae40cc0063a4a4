import ClientKit
import Text

/// The same requests as a header for an app in Objective-C.
extension WarmedRequests {
  /// Nil for a client whose requests only Swift code can make.
  ///
  /// - Parameter withKeys: as in ``WarmedRequests/swift(withKeys:)``.
  package func objectiveC(withKeys: Bool) -> String? {
    let uses = uses()
    let names = WarmedRequests.names(of: uses, ObjectiveCLiteral.functionName)
    let codes = zip(uses, names).compactMap { use, name in use.client.objectiveCCode(coded(use, name)) }
    guard codes.count == uses.count else { return nil }
    let head = head(
      codes, "Foundation/Foundation.h", importing: { "#import <\($0)>" }, warning: { "#warning \"\($0)\"" })
    var parts = [head, "NS_ASSUME_NONNULL_BEGIN"] + WarmedRequests.accessories(of: codes)
    for (index, use) in uses.enumerated() {
      parts.append("// \(SwiftLiteral.comment(use.label))\n\n\(codes[index].text)")
      parts.append(sources(use, names[index]))
    }
    if withKeys { parts.append(keyTable(uses, names)) }
    return (parts + ["NS_ASSUME_NONNULL_END"]).joined(separator: "\n\n") + "\n"
  }

  private func sources(_ use: WarmedRequests.Use, _ name: String) -> String {
    let rows = listed(use).map { source in
      let id = source.id.map { ", @\"id\" : \(ObjectiveCLiteral.string(shown($0)))" } ?? ""
      return "    @{@\"url\" : \(ObjectiveCLiteral.string(shown(source.url)))\(id)},"
    }
    return """
      /// Each with its `url` and, in place of that in the key, perhaps its `id`.\(note(use).map { " \($0)" } ?? "")
      static inline NSArray<NSDictionary<NSString *, NSString *> *> *\(name)Sources(void) {
        return @[
      \(rows.joined(separator: "\n"))
        ];
      }
      """
  }

  private func keyTable(_ uses: [WarmedRequests.Use], _ names: [String]) -> String {
    func field(_ name: String, _ value: String) -> String { "@\"\(name)\" : \(value)" }
    let rows = keys(uses, names).map { key in
      let fields = [
        field("chain", ObjectiveCLiteral.string(key.name)),
        field("url", ObjectiveCLiteral.string(key.url)), field("scale", "@\(NumberText.plain(key.scale))"),
        field("key", ObjectiveCLiteral.string(key.key)), field("file", ObjectiveCLiteral.string(key.file)),
        key.digest.map { field("sha256", ObjectiveCLiteral.string($0)) },
      ]
      return "    @{\(fields.compactMap { $0 }.joined(separator: ", "))},"
    }
    return """
      /// What a test of the app compares its own keys with. `sha256` is that of the file, absent where it is not made yet.
      static inline NSArray<NSDictionary<NSString *, id> *> *WarmedKeys(void) {
        return @[
      \(rows.joined(separator: "\n"))
        ];
      }
      """
  }
}
