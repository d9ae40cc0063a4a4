import Foundation
import Text

/// A folder for Apple's tool `ba-package`, which makes an archive of Background Assets of it: a manifest, and the bundle
/// as a folder beside it.
///
/// Facts: Apple's "Creating managed asset packs" (members of the manifest, policies, paths relative to the folder in
/// which the tool runs).
package enum AssetPack {
  static let manifestName = "Manifest.json"

  /// When the system fetches a pack.
  package enum Policy: String, Hashable, Sendable, CaseIterable {
    /// While it installs the app, which waits for it.
    case essential
    /// The same, but the app may be opened before.
    case prefetch
    /// When the app asks.
    case onDemand
  }

  /// The pack's id and the folder of its bundle: the last part of the output's name.
  package static func name(ofOutput path: String) -> String {
    PathText.name(of: path) ?? ""
  }

  /// Letters, digits, `-` and `_`: what needs no escape in JSON, a path or the app's code.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
  }

  static func manifest(_ name: String, _ policy: Policy) -> String {
    let events = #"{"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}"#
    return """
      {
        "assetPackID": "\(name)",
        "downloadPolicy": {"\(policy.rawValue)": \(policy == .onDemand ? "{}" : events)},
        "fileSelectors": [{"directory": "\(name)"}],
        "platforms": ["iOS"]
      }

      """
  }
}
