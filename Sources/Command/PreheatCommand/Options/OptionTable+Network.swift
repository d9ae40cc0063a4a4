import Fetching

extension OptionTable {
  private static let usual = HTTPConfiguration()

  private static func seconds(_ duration: Duration) -> String { "\(Int(duration / .seconds(1)))" }

  /// How sources are downloaded. Names are curl's where curl has the option.
  package static let network: [OptionSpec] = [
    OptionSpec("connections", .integer("N", 1...1024), "transfers at a time").with {
      $0.defaultText = "\(usual.maxConcurrent)"
      $0.environment = "PREHEAT_CONNECTIONS"
      $0.isCommon = true
    },
    OptionSpec("retries", .integer("N", 0...100), "further attempts after a failure that may pass").with {
      $0.defaultText = "\(usual.retries)"
      $0.environment = "PREHEAT_RETRIES"
      $0.isCommon = true
    },
    OptionSpec("retry-time", .seconds("SECONDS", 0...86_400), "time within which retries may begin").with {
      $0.detail = "Counted for each source from its first attempt."
      $0.defaultText = seconds(usual.maxRetryTime)
      $0.environment = "PREHEAT_RETRY_TIME"
    },
    OptionSpec("max-wait", .seconds("SECONDS", 0...86_400), "longest wait before a retry").with {
      $0.detail = "Also where a server asks for more with Retry-After, which holds every request to it."
      $0.defaultText = seconds(usual.maxRetryWait)
      $0.environment = "PREHEAT_MAX_WAIT"
    },
    OptionSpec("connect-timeout", .seconds("SECONDS", 0.1...3600), "longest time to connect").with {
      $0.defaultText = seconds(usual.connectTimeout)
      $0.environment = "PREHEAT_CONNECT_TIMEOUT"
    },
    OptionSpec("max-time", .seconds("SECONDS", 0.1...86_400), "longest download of one source").with {
      $0.defaultText = seconds(usual.totalTimeout)
      $0.environment = "PREHEAT_MAX_TIME"
    },
    OptionSpec("low-speed-time", .seconds("SECONDS", 1...3600), "how long a download may be too slow").with {
      $0.defaultText = seconds(usual.stallTimeout)
      $0.environment = "PREHEAT_LOW_SPEED_TIME"
    },
    OptionSpec("low-speed-limit", .bytes("BYTES", 1...(1 << 30)), "bytes a second that are too slow").with {
      $0.defaultText = "\(usual.stallSpeed)"
      $0.environment = "PREHEAT_LOW_SPEED_LIMIT"
    },
    OptionSpec("max-redirects", .integer("N", 0...50), "redirects followed for one source").with {
      $0.defaultText = "\(usual.maxRedirects)"
      $0.environment = "PREHEAT_MAX_REDIRECTS"
    },
    OptionSpec("max-header-bytes", .bytes("N", 1...(16 << 20)), "most bytes of an answer's header").with {
      $0.defaultText = "\(usual.maxHeaderBytes >> 10)K"
      $0.environment = "PREHEAT_MAX_HEADER_BYTES"
    },
    OptionSpec("proxy", .text("URL"), "proxy for every download").with {
      $0.detail = """
        http, https, socks4 and socks5 proxies are known. Behind a proxy the addresses of servers cannot be \
        checked; private ones that stand in a URL are still refused.
        """
      $0.defaultText = "http_proxy, https_proxy and all_proxy, as curl reads them"
      $0.environment = "PREHEAT_PROXY"
    },
    OptionSpec("noproxy", .text("HOSTS"), "hosts that are reached without the proxy").with {
      $0.detail = "Names with their subdomains, addresses or blocks of them, with commas between; * for all."
      $0.defaultText = "no_proxy"
      $0.environment = "PREHEAT_NOPROXY"
    },
    OptionSpec("netrc", "take user names and passwords from ~/.netrc").with {
      $0.environment = "PREHEAT_NETRC"
      $0.isNegatable = true
    },
    OptionSpec("netrc-file", .text("FILE"), "take user names and passwords from this file").with {
      $0.environment = "PREHEAT_NETRC_FILE"
    },
    OptionSpec("cacert", .text("FILE"), "trust these certificates (PEM) and no others").with {
      $0.defaultText = "the system's"
      $0.environment = "PREHEAT_CACERT"
    },
    OptionSpec("insecure-host", .text("HOST"), "do not check this host's certificate (repeatable)").with {
      $0.detail = """
        HOST or HOST:PORT; there is no way to say all. The variable holds hosts with spaces between them.
        """
      $0.environment = "PREHEAT_INSECURE_HOST"
      $0.repetition = .words
    },
  ]
}
