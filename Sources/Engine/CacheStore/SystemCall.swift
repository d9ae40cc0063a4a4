import FileStore
import Planning
import Text

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
