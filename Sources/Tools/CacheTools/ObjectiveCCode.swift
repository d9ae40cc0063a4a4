import ClientKit
import Planning
import Text

/// The same as ``SwiftCode`` as a header for an app in Objective-C.
package struct ObjectiveCCode: Sendable {
  private let requests: WarmedRequests

  /// - Parameter showsSecrets: writes URLs with the credentials that they hold; an app that is to load them needs these.
  package init(_ plan: Plan, showsSecrets: Bool = false) {
    requests = WarmedRequests(plan, showsSecrets: showsSecrets)
  }

  /// Nil for a client whose requests only Swift code can make.
  ///
  /// - Parameter withKeys: as in ``SwiftCode/text(withKeys:)``.
  package func text(withKeys: Bool) -> String? {
    let plan = requests.plan
    let uses = requests.uses()
    let names = WarmedRequests.names(of: uses, ObjectiveCLiteral.functionName)
    let codes = zip(uses, names).compactMap { use, name in
      plan.client.objectiveCCode(
        named: name, chain: use.chain, scales: plan.settings.scales, hasIDs: use.hasIDs)
    }
    guard codes.count == uses.count else { return nil }
    let head = requests.head(
      codes, "Foundation/Foundation.h", importing: { "#import <\($0)>" }, warning: { "#warning \"\($0)\"" })
    var parts = [head, "NS_ASSUME_NONNULL_BEGIN"] + WarmedRequests.accessories(of: codes)
    for (index, use) in uses.enumerated() {
      parts.append("// \(SwiftLiteral.comment(use.label))\n\n\(codes[index].text)")
      parts.append(sources(use, names[index]))
    }
    if withKeys { parts.append(keys(uses, names)) }
    return (parts + ["NS_ASSUME_NONNULL_END"]).joined(separator: "\n\n") + "\n"
  }

  private func sources(_ use: WarmedRequests.Use, _ name: String) -> String {
    let rows = use.sources.map { source in
      let id = source.id.map { ", @\"id\" : \(ObjectiveCLiteral.string(requests.shown($0)))" } ?? ""
      return "    @{@\"url\" : \(ObjectiveCLiteral.string(requests.shown(source.url)))\(id)},"
    }
    return """
      /// Each with its `url` and, in place of that in the key, perhaps its `id`.
      static inline NSArray<NSDictionary<NSString *, NSString *> *> *\(name)Sources(void) {
        return @[
      \(rows.joined(separator: "\n"))
        ];
      }
      """
  }

  private func keys(_ uses: [WarmedRequests.Use], _ names: [String]) -> String {
    func field(_ name: String, _ value: String) -> String { "@\"\(name)\" : \(value)" }
    let rows = requests.keys(uses, names).map { key in
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
