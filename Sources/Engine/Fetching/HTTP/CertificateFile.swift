import Foundation

/// The file of CA certificates that https requests go by. Systems keep theirs in different places, and libcurl knows
/// only that of the system it was built on.
package enum CertificateFile {
  private static let variables = ["SSL_CERT_FILE", "CURL_CA_BUNDLE"]
  private static let places = [
    // Debian, Ubuntu, Alpine, Arch; Fedora; openSUSE; Alpine without its package.
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  /// Looked for once.
  static let ofProcess = find(in: ProcessInfo.processInfo.environment)

  /// What a variable names, be it there or not, else the first of the places that can be read; nil where none can.
  package static func find(
    in environment: [String: String], canRead: (String) -> Bool = { access($0, R_OK) == 0 }
  ) -> String? {
    variables.compactMap { environment[$0] }.first { !$0.isEmpty }
      ?? ([HTTPLibrary.certificates].compactMap { $0 } + places).first(where: canRead)
  }
}
