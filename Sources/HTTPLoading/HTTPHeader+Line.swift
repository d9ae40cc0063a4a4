extension HTTPHeader {
  /// The form libcurl takes: an empty value needs a semicolon, or the field would be removed.
  var curlLine: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }

  /// - Throws: `fetch.url` when name or value could break out of their line. The value is never shown.
  func check() throws(HTTPFailure) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken) else {
      throw HTTPFailure(.url, "a header name may hold letters, digits and !#$%&'*+-.^_`|~ only")
    }
    guard !value.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" || $0 == "\0" }) else {
      throw HTTPFailure(.url, "the value of the header \(name) holds a line break or a NUL")
    }
  }

  /// RFC 9110, section 5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
