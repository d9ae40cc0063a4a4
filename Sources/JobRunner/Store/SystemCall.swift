import CacheCore
import Glibc

/// System calls with errors as values, each with the path that it was about.
enum SystemCall {
  struct Failure: Error, Hashable {
    var errno: Int32
    var call: String
    var path: String

    /// As a person reads it: what was tried, on what, and why it failed.
    var message: String { "cannot \(call) \(path): \(String(cString: strerror(errno)))" }
  }

  /// Repeats a call that a signal interrupted; -1 becomes a failure.
  @discardableResult
  static func check(_ call: String, _ path: String, _ body: () -> Int32) throws(Failure) -> Int32 {
    while true {
      let result = body()
      if result != -1 { return result }
      if errno != EINTR { throw Failure(errno: errno, call: call, path: path) }
    }
  }
}

extension StoreFailure {
  /// A failed system call on the cache or the state folder.
  init(_ failure: SystemCall.Failure) {
    self.init(.notWritable, failure.message)
  }

  /// A failed operation of the file store; its text holds the advice.
  init(_ failure: FileStoreError) {
    self.init(failure.reason == .noSpace ? .full : .notWritable, failure.description)
  }
}
