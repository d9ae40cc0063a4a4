import Fetching
import Settings
import Syntax
import Text

extension CommandRows {
  private static let usual = HTTPConfiguration()

  private static func text(_ duration: Duration) -> String { "\(Int(duration / .seconds(1)))" }

  private static func seconds(
    _ key: SettingKey<Double?>, _ range: ClosedRange<Double>, _ summary: String, usual: Duration
  ) -> Setting {
    Setting(
      key, SettingType<Double>.seconds("SECONDS", range).optional, in: .command, .network, summary
    ).with { $0.defaultText = text(usual) }
  }

  private static func count(
    _ key: SettingKey<Int?>, _ range: ClosedRange<Int>, _ summary: String, usual: Int
  ) -> Setting {
    Setting(key, SettingType<Int>.integer("N", range).optional, in: .command, .network, summary).with {
      $0.defaultText = "\(usual)"
    }
  }

  /// How sources are downloaded. Names are curl's where curl has the option and the name says what it is about.
  static let network: [Setting] = [
    count(CommandKey.connections, 1...1024, "transfers at a time", usual: usual.maxConcurrent).with {
      $0.isCommon = true
    },
    count(
      CommandKey.retries, 0...100, "further attempts after a failure that may pass", usual: usual.retries
    ).with { $0.isCommon = true },
    seconds(
      CommandKey.retryTime, 0...86_400, "time within which retries may begin", usual: usual.maxRetryTime
    ).with { $0.detail = "Counted for each source from its first attempt." },
    seconds(CommandKey.maxWait, 0...86_400, "longest wait before a retry", usual: usual.maxRetryWait).with {
      $0.detail = "Also where a server asks for more with Retry-After, which holds every request to it."
    },
    seconds(CommandKey.connectTimeout, 0.1...3600, "longest time to connect", usual: usual.connectTimeout),
    seconds(
      CommandKey.fetchTimeout, 0.1...86_400, "longest download of one source", usual: usual.totalTimeout
    )
    .with { $0.aliases = ["max-time"] },
    seconds(
      CommandKey.lowSpeedTime, 1...3600, "how long a download may be too slow", usual: usual.stallTimeout),
    Setting(
      CommandKey.lowSpeedLimit, SettingType<Int>.bytes("BYTES", 1...(1 << 30)).optional, in: .command,
      .network,
      "bytes a second that are too slow"
    ).with { $0.defaultText = "\(usual.stallSpeed)" },
    count(CommandKey.maxRedirects, 0...50, "redirects followed for one source", usual: usual.maxRedirects),
    Setting(
      CommandKey.maxHeaderBytes, SettingType<Int>.bytes("N", 1...(16 << 20)).optional, in: .command, .network,
      "most bytes of an answer's header"
    ).with { $0.defaultText = "\(usual.maxHeaderBytes >> 10)K" },
    Setting(
      CommandKey.proxy,
      SettingType<String>("URL") { scanner, setting throws(Mistake) in
        let start = scanner.position
        let text = String(decoding: scanner.take { _ in true }, as: UTF8.self)
        guard HTTPProxies.isProxy(text) else {
          throw Mistake(
            start, "\(Mistake.quote(text)) is no URL of a proxy",
            help: "a scheme and a host, such as http://proxy.example.com:3128")
        }
        return text
      }.optional, in: .command, .network, "proxy for every download"
    ).with {
      $0.detail = """
        http, https, socks4 and socks5 proxies are known. Behind a proxy the addresses of servers cannot be checked; \
        private ones that stand in a URL are still refused.
        """
      $0.defaultText = "http_proxy, https_proxy and all_proxy, as curl reads them"
    },
    Setting(
      CommandKey.noProxy, SettingType<String>.path("HOSTS", .text).optional, in: .command, .network,
      "hosts that are reached without the proxy"
    ).with {
      $0.detail = "Names with their subdomains, addresses or blocks of them, with commas between; * for all."
      $0.defaultText = "no_proxy"
    },
    Setting(CommandKey.netrc, .flag, in: .command, .network, "take user names and passwords from ~/.netrc"),
    Setting(
      CommandKey.netrcFile, SettingType<String>.path("FILE").optional, in: .command, .network,
      "take user names and passwords from this file"),
    Setting(
      CommandKey.caFile, SettingType<String>.path("FILE").optional, in: .command, .network,
      "trust these certificates (PEM) and no others"
    ).with { $0.defaultText = "the system's" },
    Setting(
      list: CommandKey.insecureHost, valueName: "HOST", in: .command, .network,
      "do not check this host's certificate (repeatable)", example: "insecure-host staging.example.com"
    ) { scanner, _, _ throws(Mistake) in [String(decoding: scanner.word(), as: UTF8.self)] }.with {
      $0.repetition = .words
      $0.detail =
        "HOST or HOST:PORT; wildcards are not accepted. The variable holds hosts with spaces between them."
    },
  ]
}
