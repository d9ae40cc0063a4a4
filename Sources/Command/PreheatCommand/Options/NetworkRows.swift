import Fetching
import FileStore
import Foundation
import Syntax

/// How sources are downloaded. Names are curl's where curl has the option and the name says what it is about.
enum NetworkRows {
  private static let usual = HTTPConfiguration()

  static let all: [FieldSetting<HTTPConfiguration>] = [
    FieldSetting(
      "retries", \.retries, .integer("N", 0...100), in: .command, .network,
      "number of retries after a temporary failure"
    ).with { $0.defaultText = "\(usual.retries)" }.common,
    FieldSetting(
      "fetch-timeout", \.totalTimeout, SettingType.seconds("SECONDS", 0.1...86_400).map { .seconds($0) },
      in: .command, .network, "time limit for the download of one source"
    ).with { $0.defaultText = "\(Int(usual.totalTimeout / .seconds(1)))" },
    FieldSetting(
      "proxy", proxy, in: .command, .network, "proxy for every download",
      detail: """
        The proxy can be http, https, socks4 or socks5. The addresses of servers behind it cannot be checked; private \
        addresses in a URL are still refused.
        """
    ) { ($0.proxies.http, $0.proxies.https) = ($1, $1) }.with {
      $0.defaultText = "http_proxy, https_proxy and all_proxy, as curl reads them"
    },
    FieldSetting(
      "cacert", readableFile, in: .command, .network, "trust these certificates (PEM) and no others"
    ) { $0.caFile = $1 }.with { $0.defaultText = "the system's" },
    FieldSetting(
      Setting(
        list: SettingKey("insecure-host", default: []),
        SettingType<String>("HOST") { host, _, start throws(Mistake) in
          if !host.contains("*"), !host.contains("/") { return host }
          throw Mistake(start, "\(Mistake.quote(host)) does not name a single host")
        }, in: .command, .network, "do not check this host's certificate (repeatable)",
        example: "insecure-host staging.example.com",
        detail:
          "HOST or HOST:PORT; wildcards are not accepted. The variable contains hosts separated by spaces."
      ), \.insecureHosts
    ).with { $0.repetition = .words },
  ]

  private static let proxy = SettingType<String>("URL") { scanner, _ throws(Mistake) in
    let start = scanner.position
    let text = String(decoding: scanner.take { _ in true }, as: UTF8.self)
    guard HTTPProxies.isProxy(text) else {
      throw Mistake(
        start, "\(Mistake.quote(text)) is not the URL of a proxy",
        help: "a scheme and a host, such as http://proxy.example.com:3128")
    }
    return text
  }

  /// A file without which every download would fail, or go out without its credentials.
  private static let readableFile = SettingType<String>("FILE", .file) { scanner, setting throws(Mistake) in
    let start = scanner.position
    let path = try SettingType<String>.path("FILE").read(&scanner, setting)
    guard access(path, R_OK) == 0, !OutputFile.isFolder(path) else {
      throw Mistake(start, "\(Mistake.quote(path)) cannot be read")
    }
    return path
  }

  /// The loader's configuration, with the proxies of the environment where no flag names one.
  static func configuration(_ values: SettingValues, environment: [String: String]) -> HTTPConfiguration {
    var http = HTTPConfiguration()
    http.wording = .settings
    http.proxies = HTTPProxies(environment: environment)
    values.apply(all, to: &http)
    // What is given in place of the default holds for the wait, too.
    if values.has("fetch-timeout") { http.answerTimeout = max(http.answerTimeout, http.totalTimeout) }
    return http
  }
}
