import Fetching
import Foundation
import SQLiteStore
import Text

/// Looks at all that a run needs of its system. It writes nothing that stays.
package struct Doctor: Sendable {
  /// Where a cache is, or would be.
  package var folder: String
  package var environment: [String: String]

  package init(folder: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.folder = folder
    self.environment = environment
  }

  /// In a fixed order. Blocks: it starts a renderer and writes to the disk.
  package func examine() -> [Finding] {
    [Finding("preheat", PreheatVersion.text)] + worker() + libraries() + [certificates()] + resources()
      + disk()
  }

  private func libraries() -> [Finding] {
    [
      Finding("libcurl", HTTPLibrary.version),
      Finding("sqlite", SQLiteDatabase.libraryVersion),
    ]
  }

  private func certificates() -> Finding {
    let named = ["SSL_CERT_FILE", "CURL_CA_BUNDLE"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let file = named ?? HTTPLibrary.certificates else {
      return Finding("certificates", "libcurl names no file of its own")
    }
    guard access(file, R_OK) == 0 else {
      return Finding(
        "certificates", "\(file) cannot be read", .error,
        advice: "install the package ca-certificates; without it no https URL can be fetched")
    }
    return Finding("certificates", file)
  }
}
