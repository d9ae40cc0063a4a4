/// Keys that only the machine has on which they were made.
package enum LocalKey {
  /// The URL of a file: on the device that path is another, and changes with every installation of the app.
  package static func isLocal(_ key: String) -> Bool {
    let scheme = key.utf8.prefix(5)
    return scheme.last == UInt8(ascii: ":")
      && scheme.map { $0 | 0x20 }.elementsEqual("file:".utf8.map { $0 | 0x20 })
  }
}
