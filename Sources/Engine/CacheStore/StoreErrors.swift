import ClientRegistry
import FileStore
import Planning
import SQLiteStore
import Text

/// Why a ledger cannot be read as one.
package struct LedgerFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The form of a later release.
    case newer
    /// The file is not a ledger, or is damaged: no release can use it, so that it is moved aside and a new one made.
    case damaged
    case unreadable
    /// Another process is at work on it.
    case busy
  }

  package let reason: Reason
  package let fact: String

  init(_ reason: Reason, _ words: String, path: String) {
    self.reason = reason
    fact = "the ledger \(path) \(words)"
  }

  init(_ failure: SQLiteDatabase.Failure, path: String) {
    guard failure.isPassing else {
      let verb = failure.isDamage ? "is damaged" : "cannot be read"
      self.init(failure.isDamage ? .damaged : .unreadable, "\(verb): \(failure.message)", path: path)
      return
    }
    let holder = LockHolder.find([path])?.description ?? "a process that is not known"
    self.init(.busy, "cannot be read: \(failure.message) by \(holder)", path: path)
  }

  /// Turns failures of a ledger's database into failures of the ledger.
  static func of<Result>(
    _ path: String, _ body: () throws(SQLiteDatabase.Failure) -> Result
  ) throws(LedgerFailure) -> Result {
    do throws(SQLiteDatabase.Failure) { return try body() } catch { throw LedgerFailure(error, path: path) }
  }

  package var isDamage: Bool { reason == .damaged }

  /// The fact, and advice where it does not say it.
  package var message: String {
    switch reason {
    case .newer:
      fact + "; use the release that wrote it, or a later one, or move the ledger aside to begin again"
    case .damaged: fact + "; preheat verify --repair moves it aside, and so does the next run"
    case .unreadable: fact
    case .busy: fact + "; try again once that process has ended"
    }
  }
}

extension StoreFailure {
  /// What calls on files, on the system or on a ledger throw; their texts hold the advice.
  package init(_ error: any Error) {
    switch error {
    case let failure as StoreFailure: self = failure
    case let failure as LedgerFailure:
      self.init(failure.reason == .unreadable ? .unreadable : .ledger, failure.message)
    case let failure as SystemCall.Failure:
      let isFull = FileStoreError.Reason(number: failure.errno) == .noSpace
      self.init(isFull ? .full : .notWritable, failure.message)
    case let failure as FileStoreError:
      let isReading = [.read, .list].contains(failure.operation) && failure.reason != .notFound
      let code: Code = failure.reason == .noSpace ? .full : isReading ? .unreadable : .notWritable
      self.init(code, failure.description)
    default: self.init(.notWritable, "\(error)")
    }
  }

  /// Turns what such calls throw into failures of the cache store.
  @discardableResult
  package static func storing<T: ~Copyable>(_ body: () throws -> T) throws(StoreFailure) -> T {
    do { return try body() } catch { throw StoreFailure(error) }
  }
}

/// Why a tool cannot do its work on a cache or a bundle. Unless it is about writing, nothing has been changed then.
package struct ToolError: Error, Sendable, CustomStringConvertible {
  /// The kind of mistake and the thing that it is about: `bundle.input`, `cache.locked`.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    private let area: String
    package let kind: Kind

    package static func bundle(_ kind: Kind) -> Code { Code(area: "bundle", kind: kind) }
    package static func cache(_ kind: Kind) -> Code { Code(area: "cache", kind: kind) }

    package var description: String { "\(area).\(kind.rawValue)" }
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
    /// A look at a file or a folder failed, so that it is not known what is there.
    case read
    /// The disk is full or the folder cannot be written.
    case write
  }

  package var code: Code
  package var message: String
  /// Advice for the user; nil where the message says all.
  package var advice: String?

  package init(_ code: Code, _ message: String, advice: String? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
  }

  /// Advice where the cache's client is not known.
  package static let nameTheClient = "pass --client, for example --client '\(ClientRegistry.example)'"

  package var description: String { "\(message)\(advice.map { "; \($0)" } ?? "") (\(code))" }

  /// What calls on files, ledgers and locks throw, as a failure of the tool.
  ///
  /// - Parameters:
  ///   - isReading: Whether nothing was to be written.
  ///   - code: What the tool works on.
  package init(_ error: any Error, isReading: Bool = false, _ code: (Kind) -> Code = Code.cache) {
    let failure = StoreFailure(error)
    let kind: Kind =
      switch failure.code {
      case .locked: .locked
      case .unreadable: .read
      case .full, .notWritable, .ledger, .pruning: isReading ? .input : .write
      }
    self.init(code(kind), failure.message)
  }

  package static func of<T: ~Copyable>(
    isReading: Bool = false, _ code: (Kind) -> Code = Code.cache, _ body: () throws -> T
  ) throws(ToolError) -> T {
    do { return try body() } catch let failure as ToolError { throw failure } catch {
      throw ToolError(error, isReading: isReading, code)
    }
  }
}
