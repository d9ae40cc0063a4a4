import ClientRegistry
import ClientKit
import CacheStore
import Planning

/// Why a cache cannot be looked into, checked, trimmed or joined. Nothing has been changed then, unless the code is
/// ``Code/write``.
package struct CacheToolError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// The folder or bundle is not there, or cannot be read.
    case input = "cache.input"
    /// Nobody says whose cache it is, or two caches are not of one client.
    case client = "cache.client"
    /// Two caches have different bytes for one entry.
    case conflict = "cache.conflict"
    /// A file is not what the ledger says.
    case damaged = "cache.damaged"
    /// Another run holds the lock.
    case locked = "cache.locked"
    /// The disk is full or the folder cannot be written.
    case write = "cache.write"
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(message) (\(code.rawValue))" }
}

extension CacheToolError {
  /// - Parameter reading: whether nothing was to be written.
  package init(_ failure: StoreFailure, reading: Bool = false) {
    switch failure.code {
    case .locked: self.init(.locked, failure.message)
    case .full, .notWritable, .ledger: self.init(reading ? .input : .write, failure.message)
    }
  }

  /// Reads a cache folder with its ledger.
  package static func listing(
    of folder: String, acceptsDamage: Bool = false
  ) throws(CacheToolError) -> CacheListing {
    do throws(StoreFailure) { return try CacheListing(folder, acceptsDamage: acceptsDamage) } catch {
      throw CacheToolError(error, reading: true)
    }
  }

  /// The client that was named, else the one that the ledger names.
  package static func client(_ named: CacheClient?, _ listing: CacheListing) throws(CacheToolError)
    -> any ImageClient
  {
    guard let client = (named ?? listing.client).flatMap({ ClientRegistry.make($0) }) else {
      if let damage = listing.damage {
        throw CacheToolError(
          .client, "\(damage.fact), so it names no client; pass --client, for example --client '\(ClientRegistry.example)'")
      }
      throw CacheToolError(
        .client,
        "cannot tell which client \(listing.path) belongs to (no ledger found); pass --client, for example --client '\(ClientRegistry.example)'")
    }
    return client
  }
}
