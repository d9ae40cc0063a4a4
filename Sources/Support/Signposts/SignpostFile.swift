import Concurrency
import Foundation
import Text

/// A file that an exporter writes whole lines to.
public final class SignpostFile: Sendable {
  /// Why a file cannot be written.
  public struct Failure: LocalizedError, Hashable, Sendable {
    /// A phrase for people, with the path and the system's reason.
    public var message: String

    /// The text of `localizedDescription`.
    public var errorDescription: String? { message }
  }

  private let path: String
  private let descriptor: Int32
  private let problem = Locked<String?>(nil)

  /// Opens a file, empty.
  public init(path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(message: "\(path) cannot be written: \(SystemCall.words())") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Why not all was written; nil while it was.
  public var failure: String? { problem.withLock { $0 } }

  /// Writes all bytes; after a failure nothing more, so that no half line stands in the middle.
  func write(_ bytes: [UInt8]) {
    problem.withLock { problem in
      guard problem == nil else { return }
      if !bytes.withUnsafeBytes({ SystemCall.write(descriptor, $0) }) {
        problem = "\(path) cannot be written further: \(SystemCall.words())"
      }
    }
  }
}

/// Writes a recording in one form. Called by one thread at a time.
public protocol SignpostExporter: Sendable {
  /// Writes records in the order in which they are handed over.
  func write(_ records: [SignpostRecord])

  /// The recording is over.
  ///
  /// - Parameters:
  ///   - open: Intervals that never ended.
  ///   - time: The end, in nanoseconds of `CLOCK_MONOTONIC`.
  func finish(open: [SignpostSpan], at time: Int64)

  /// Why what was written is not all there is, in words; nil while it is.
  var failure: String? { get }
}

extension SignpostExporter {
  /// Does nothing.
  public func finish(open: [SignpostSpan], at time: Int64) {}

  /// Nil.
  public var failure: String? { nil }
}
