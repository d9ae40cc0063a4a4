import Foundation
import HTTPLoading
import Rendering
import SQLiteStore

/// Looks at all that a run needs of its system. It writes nothing that stays.
public struct Doctor: Sendable {
  /// Where a cache is, or would be.
  public var folder: String
  public var environment: [String: String]

  public init(folder: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.folder = folder
    self.environment = environment
  }

  /// In a fixed order. Blocks: it starts a renderer and writes to the disk.
  public func examine() -> [Finding] {
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
