import Foundation

extension FileStore {
  /// Says when a file was made, on systems that let it be said: Apple's. Linux has no call for it, and nothing is done.
  package func setCreationDate(_ date: Date, of name: String) {
    #if canImport(Darwin)
      // The order of a sweep is not worth a failure.
      try? FileManager.default.setAttributes([.creationDate: date], ofItemAtPath: path(of: name))
    #endif
  }
}
