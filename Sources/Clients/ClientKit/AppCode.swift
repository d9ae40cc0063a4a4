/// How an app's code makes the requests of a job.
package protocol CodeClient: NamedClient {
  /// A function of the app that makes the request of a chain.
  func code(_ request: CodedRequest) -> RequestCode

  /// The same in Objective-C, with headers in place of modules: a function `NAME(url, key, view)`, or `NAME(url, view)`
  /// where no source has a key. Nil for a library that only Swift code can use.
  func objectiveCCode(_ request: CodedRequest) -> RequestCode?
}

extension CodeClient {
  /// The parameters of a function in Swift.
  package static func parameters(hasIDs: Bool) -> String {
    "_ url: String" + (hasIDs ? ", id: String? = nil" : "")
  }

  package func objectiveCCode(_ request: CodedRequest) -> RequestCode? { nil }
}

/// What a function is to ask for: its name and chain; the screen scales that the job names; whether some sources have a
/// key in place of their URL's; and what its job lines read and write.
package typealias CodedRequest = (
  name: String, chain: Chain, scales: [Double], hasIDs: Bool, options: RequestOptions
)

extension RequestOptions {
  /// The client's words for those of a request's options that hold.
  package func words(_ words: KeyValuePairs<KeyPath<RequestOptions, Bool>, String>) -> [String] {
    words.filter { self[keyPath: $0.key] }.map(\.value)
  }
}

/// A function of an app's code that makes a request: source without indentation; modules that it needs beside Foundation,
/// in Objective-C headers; and what it needs beside it in the file, of which equal ones are written once.
package typealias RequestCode = (text: String, imports: [String], accessories: [String])
