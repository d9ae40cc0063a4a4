import FileStore
import Glibc
import Planning

/// System calls with errors as values, each with the path that it was about.
package enum SystemCall {
  package struct Failure: Error, Hashable {
    package var errno: Int32
    package var call: String
    package var path: String

    package init(errno: Int32, call: String, path: String) {
      self.errno = errno
      self.call = call
      self.path = path
    }

    /// As a person reads it: what was tried, on what, and why it failed.
    package var message: String { "cannot \(call) \(path): \(String(cString: strerror(errno)))" }
  }

  /// Repeats a call that a signal interrupted; -1 becomes a failure.
  @discardableResult
  package static func check(_ call: String, _ path: String, _ body: () -> Int32) throws(Failure) -> Int32 {
    while true {
      let result = body()
      if result != -1 { return result }
      if errno != EINTR { throw Failure(errno: errno, call: call, path: path) }
    }
  }
}

extension StoreFailure {
  /// A failed system call on the cache or the state folder.
  package init(_ failure: SystemCall.Failure) {
    self.init(.notWritable, failure.message)
  }

  /// A failed operation of the file store; its text holds the advice.
  package init(_ failure: FileStoreError) {
    self.init(failure.reason == .noSpace ? .full : .notWritable, failure.description)
  }
}
