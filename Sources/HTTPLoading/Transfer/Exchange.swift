/// One exchange as it is to be made: everything about its hop that the configuration decides.
struct Exchange {
  /// As it goes to libcurl.
  var url: String
  var isHTTPS: Bool
  /// The fields this hop may see.
  var headers: [HTTPHeader]
  /// User and password, if this hop may see them: for HTTP Basic, or for the signature.
  var credentials: (user: String, password: String)?
  /// How the request is signed, in libcurl's words.
  var signature: String?
  /// The proxy's URL.
  var proxy: String?
  /// Whether private addresses are refused.
  var isGuarded: Bool
  /// Whether the certificate is looked at.
  var isVerified: Bool
}
