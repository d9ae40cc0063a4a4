import ClientRegistry
import Planning

/// Why a tool cannot do its work on a cache or a bundle. Unless it is about writing, nothing has been changed then.
package struct ToolError: Error, Sendable, CustomStringConvertible {
  /// The kind of mistake and the thing that it is about: `bundle.input`, `cache.locked`.
  package enum Code: Hashable, Sendable, CustomStringConvertible {
    case bundle(Kind)
    case cache(Kind)

    package var kind: Kind {
      switch self {
      case .bundle(let kind), .cache(let kind): kind
      }
    }

    package var description: String {
      if case .bundle = self { "bundle.\(kind.rawValue)" } else { "cache.\(kind.rawValue)" }
    }
  }

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The folder or bundle is not there, cannot be read, or has nothing of use.
    case input
    /// The cache's client is not known, or two caches have different clients.
    case client
    /// Two caches have different bytes for one entry.
    case conflict
    /// A file is not what the ledger says.
    case damaged
    /// The older index cannot be read.
    case since
    /// A key cannot sign, or cannot check signatures.
    case key
    /// A limit that was given is not kept.
    case limit
    case locked
    /// The disk is full or the folder cannot be written.
    case write
  }

  package var code: Code
  package var message: String
  /// Advice for the user; nil where the message says all.
  package var advice: String?
  package var cause: (any Error)?

  package init(_ code: Code, _ message: String, advice: String? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
    self.cause = cause
  }

  /// Advice where the cache's client is not known.
  package static let nameTheClient = "pass --client, for example --client '\(ClientRegistry.example)'"

  package var description: String { "\(message)\(advice.map { "; \($0)" } ?? "") (\(code))" }

  /// - Parameters:
  ///   - isReading: Whether nothing was to be written.
  ///   - code: What the tool works on.
  package init(
    _ failure: StoreFailure, isReading: Bool = false, of code: (Kind) -> Code = Code.cache
  ) {
    let kind: Kind =
      switch failure.code {
      case .locked: .locked
      case .full, .notWritable, .ledger: isReading ? .input : .write
      }
    self.init(code(kind), failure.message, cause: failure)
  }
}
