/// How an app's code makes the requests of a job.
package protocol CodeClient: NamedClient {
  /// A function of the app that makes the request of a chain.
  ///
  /// - Parameters:
  ///   - scales: the screen scales that the job names.
  ///   - hasIDs: some sources have a key in place of their URL's.
  func code(named name: String, chain: Chain, scales: [Double], hasIDs: Bool) -> RequestCode

  /// The same in Objective-C, with headers in place of modules: a function `NAME(url, key, view)`, or `NAME(url, view)`
  /// where no source has a key. Nil for a library that only Swift code can use.
  func objectiveCCode(named name: String, chain: Chain, scales: [Double], hasIDs: Bool) -> RequestCode?
}

extension CodeClient {
  /// The parameters of a function in Swift.
  package static func parameters(hasIDs: Bool) -> String {
    "_ url: String" + (hasIDs ? ", id: String? = nil" : "")
  }

  package func objectiveCCode(
    named name: String, chain: Chain, scales: [Double], hasIDs: Bool
  ) -> RequestCode? {
    nil
  }
}

/// A function of an app's code that makes a request: source without indentation; modules that it needs beside Foundation,
/// in Objective-C headers; and what it needs beside it in the file, of which equal ones are written once.
package typealias RequestCode = (text: String, imports: [String], accessories: [String])
