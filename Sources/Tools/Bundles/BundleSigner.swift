import CacheBundleInstaller
import CacheStore
import Foundation
import Text

/// The keys that sign a bundle (two while a key is being replaced) and the bundle's counter.
package struct BundleSigner: Sendable {
  private let keys: [(secret: SigningKey, known: BundlePublicKey)]
  private let counter: Int
  /// Key files that others than their owner can read.
  package private(set) var loosePaths: [String] = []

  /// A key file has 120 bytes; what is larger is something else.
  private static let maxKeyBytes = 64 << 10

  /// - Parameters:
  ///   - paths: private keys in PEM form; a pipe will do.
  ///   - counter: larger than that of any bundle that was signed before.
  package init(keys paths: [String], counter: Int) throws(ToolError) {
    self.counter = counter
    var keys: [(secret: SigningKey, known: BundlePublicKey)] = []
    for path in paths {
      let (pem, isLoose) = try Self.read(path)
      if isLoose { loosePaths.append(path) }
      let secret: SigningKey
      do throws(SigningKey.Failure) { secret = try SigningKey(pem: pem) } catch {
        throw ToolError(.bundle(.key), "\(path) cannot sign: \(error.rawValue)")
      }
      let known: BundlePublicKey
      do throws(BundleFailure) { known = try BundlePublicKey(rawRepresentation: secret.publicKey) } catch {
        throw ToolError(.bundle(.key), error.message)
      }
      guard !keys.contains(where: { $0.known == known }) else {
        throw ToolError(.bundle(.key), "\(path) has the same key as another --sign")
      }
      keys.append((secret, known))
    }
    self.keys = keys
  }

  /// Ids of the keys, in the order in which they were given.
  package var ids: [String] { keys.map(\.known.id) }

  /// Puts into an index what a signed one has.
  func complete(_ index: inout BundleIndex) {
    index.signers = ids
    index.counter = counter
  }

  /// - Parameter index: the bytes of `index.json`.
  func signature(of index: [UInt8]) throws(ToolError) -> BundleSignature {
    let message = BundleSignature.message(of: index)
    do throws(SigningKey.Failure) {
      return BundleSignature(
        try keys.map { key throws(SigningKey.Failure) in
          (key: key.known, signature: Data(try key.secret.signature(of: message)))
        })
    } catch {
      throw ToolError(.bundle(.key), "the bundle cannot be signed: \(error.rawValue)")
    }
  }

  private static func read(_ path: String) throws(ToolError) -> (pem: [UInt8], isLoose: Bool) {
    func unreadable() -> ToolError {
      ToolError(.bundle(.key), "\(path) cannot be read: \(SystemCall.words())")
    }
    let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw unreadable() }
    defer { close(descriptor) }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    var bytes = [UInt8](repeating: 0, count: maxKeyBytes)
    let count = bytes.withUnsafeMutableBytes { SystemCall.read(descriptor, into: $0) }
    guard count >= 0 else { throw unreadable() }
    return (Array(bytes.prefix(count)), isFile && status.st_mode & 0o077 != 0)
  }
}
