import Foundation
import TestSupport

@testable import Bundles
@testable import CacheBundleInstaller
@testable import CacheStore
@testable import Digests

/// Caches of made-up files with a ledger, and bundles of them.
struct SampleCache {
  var temporary = TemporaryFolder.new

  /// Writes files in the order given.
  ///
  /// - Parameters:
  ///   - source: the source of a file.
  ///   - edition: changes the bytes of all files.
  func write(
    _ names: [String], in folder: String = "cache", client: String = "nuke 12.9.0",
    priorities: [String: Int] = [:], expiry: String? = nil, edition: String = "",
    source: (String) -> String = { $0 }
  ) throws -> String {
    let path = temporary.file(folder + "/com.example.catalog").path
    let state = StateFolder(cache: path)
    let files = try state.prepare()
    let ledger = try LedgerWriter(path: state.ledger)
    for name in names {
      let data = Data("picture \(name)\(edition)".utf8)
      try files.write(data, as: name)
      try ledger.record([
        LedgerEntry(
          file: name, sourceID: source(name), identity: "i", size: Int64(data.count),
          digest: hexadecimal(SHA256.hash(data)),
          modified: 1, sourceDigest: "",
          origin: EntryOrigin(
            client: client, job: "../app.job", key: "https://e.com/\(name)", source: "https://e.com/\(name)",
            chain: "card",
            content: "encoded", expiry: expiry, priority: priorities[name] ?? 0))
      ])
    }
    return path
  }

  func remove(_ names: [String], from path: String) throws {
    for name in names { try FileManager.default.removeItem(atPath: path + "/" + name) }
    try LedgerWriter(path: StateFolder(cache: path).ledger).remove(files: names)
  }

  func options(_ output: String, since: String? = nil) -> BundleOptions {
    let path = temporary.file(output).path
    var options = BundleOptions(output: path, format: .init(ofPath: path))
    options.since = since.map { temporary.file($0).path }
    return options
  }

  /// Makes a bundle under a name.
  @discardableResult
  func make(
    _ output: String, from path: String, since: String? = nil, signer: BundleSigner? = nil,
    _ change: (inout BundleOptions) -> Void = { _ in }
  ) throws(ToolError) -> BundleReport {
    var options = options(output, since: since)
    change(&options)
    return try BundleMaker(options, signer: signer).make(from: path)
  }

  /// What is said against a bundle; nil where it is made.
  func refusal(
    _ output: String, from path: String, since: String? = nil,
    _ change: (inout BundleOptions) -> Void = { _ in }
  ) -> ToolError? {
    do throws(ToolError) {
      try make(output, from: path, since: since, change)
      return nil
    } catch {
      return error
    }
  }

  /// The index of a bundle whose every byte is proved.
  @discardableResult
  static func proved(_ url: URL, by trust: BundleTrust? = nil) throws -> BundleIndex {
    let bundle = try CacheBundle(at: url)
    let index = try bundle.checked(by: trust).index
    for entry in index.entries where entry.isIncluded { _ = try bundle.data(for: entry) }
    return index
  }

  func names(in target: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: target.path).filter { !$0.hasPrefix(".") }.sorted()
  }
}
