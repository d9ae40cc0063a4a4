import CacheBundleInstaller
import CacheStore
import CacheTools
import ClientKit
import ClientRegistry
import FileStore
import Foundation
import JobFile
import Text

/// The entries of a cache folder, or of a bundle as if it were installed now: what an app has before a session.
package struct ReplayedCache: Sendable {
  package struct Entry: Sendable, Hashable {
    package var file: SweptFile
    /// Bytes as the client's size limit counts them.
    package var size: Int
    /// Nil where it never expires.
    package var expires: Date?
    /// What ledger or index know of it.
    package var key: String?
    package var source: String?
  }

  package let path: String
  /// Screen scales of the jobs that made it, where these are still there and agree.
  package let scales: [Double]?
  /// Those jobs, as seen from the cache folder.
  let jobs: Set<String>
  package let client: any ImageClient
  package let entries: [ByteText: Entry]
  /// What the result does not tell because it could not be read.
  package let warnings: [String]

  /// - Parameters:
  ///   - named: the client; nil for the one that ledger or index name.
  ///   - make: sets the client up.
  package init(
    _ path: String, client named: CacheClient?, now: Date,
    _ make: (CacheClient) throws -> any ImageClient
  ) throws {
    self.path = path
    guard try CacheVerifier.isBundle(path) else {
      let listing = try CacheListing.open(path, acceptsDamage: true)
      let client = try make(try listing.client(named).identity)
      self.client = client
      let swept = try listing.sweptFiles(of: client, listing.files, listing.all)
      entries = Self.byName(
        swept.filter { !$0.isFolder && $0.folder.isEmpty && $0.entry.isRegularFile }.map { file in
          let origin = listing.ledger[file.entry.name]?.origin
          return Entry(
            file: file, size: client.folder.size(file),
            expires: client.folder.expiry(modified: file.entry.modificationDate), key: origin?.key,
            source: origin?.source)
        })
      let names = Set(listing.ledger.entries.map(\.origin.job))
      (jobs, scales) = (names.subtracting(["-"]), Self.scales(ofJobs: names, of: listing.path))
      warnings = [listing.damage?.message].compactMap { $0 }
      return
    }
    let url = URL(fileURLWithPath: path)
    let (bundle, index): (CacheBundle, BundleIndex)
    do throws(BundleFailure) {
      bundle = try CacheBundle(at: url)
      index = try bundle.checked(by: nil).index
    } catch {
      throw ToolError(.bundle(.input), "\(path): \(error.message)")
    }
    let known = ClientRegistry.client("\(index.client) \(index.clientVersion)")
    guard let identity = named ?? known else {
      throw ToolError(.bundle(.client), "\(index.client) \(index.clientVersion) is not a known client")
    }
    let client = try make(identity)
    self.client = client
    entries = Self.byName(
      index.entries.enumerated().map { rank, entry in
        // The most urgent are used last, as the installer dates them.
        let use = now.addingTimeInterval(-Double(rank))
        let expires = Self.expiry(of: entry, in: index, now: now)
        let file = SweptFile(
          entry: FileEntry(
            name: entry.file, size: entry.size,
            allocatedSize: (entry.size + Self.block - 1) / Self.block * Self.block,
            accessDate: use, modificationDate: expires ?? use))
        return Entry(
          file: file, size: client.folder.size(file), expires: expires, key: entry.key, source: entry.source)
      })
    (scales, jobs) = (nil, [])
    warnings = []
  }

  /// - Parameter names: of jobs, as seen from the cache folder.
  private static func scales(ofJobs names: Set<String>, of cache: String) -> [Double]? {
    var given = GivenSettings()
    given.readsVariables = false
    let all = Set(
      names.map { name in
        let path = PathText.joined(name, to: PathText.absolute(cache))
        return JobReader(.file(path), given).head.settings?.values.given(JobKey.scale)
      })
    return all.count == 1 ? all.first ?? nil : nil
  }

  private static func byName(_ entries: [Entry]) -> [ByteText: Entry] {
    Dictionary(entries.map { (ByteText($0.file.entry.name), $0) }) { first, _ in first }
  }

  /// Of the device's file system (APFS).
  private static let block = 4096

  private static func expiry(of entry: BundleIndex.Entry, in index: BundleIndex, now: Date) -> Date? {
    guard index.rules.expiry == .modificationDate else { return nil }
    return entry.expiresAfter.map { now.addingTimeInterval(Double($0)) }
      ?? entry.expiresAt.map { Date(timeIntervalSince1970: Double($0)) } ?? DistantDate.from(now)
  }
}
