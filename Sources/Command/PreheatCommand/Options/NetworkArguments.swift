import Fetching
import Foundation
import Text

/// How `preheat run` is told to download. What is nil is left to the loader.
package struct NetworkArguments: Sendable, Hashable {
  /// Transfers at a time.
  package var connections: Int?
  /// Further attempts.
  package var retries: Int?
  package var retryTime: Double?
  package var maxWait: Double?
  package var maxRedirects: Int?
  package var maxHeaderBytes: Int?
  package var connectTimeout: Double?
  package var maxTime: Double?
  package var lowSpeedTime: Double?
  package var lowSpeedLimit: Int?
  package var proxy: String?
  /// Hosts that are reached without the proxy.
  package var noProxy: String?
  package var usesNetrc: Bool
  package var netrcFile: String?
  package var caFile: String?
  package var insecureHosts: [String]

  init(_ values: OptionValues) {
    connections = values.integer("connections")
    retries = values.integer("retries")
    retryTime = values.seconds("retry-time")
    maxWait = values.seconds("max-wait")
    maxRedirects = values.integer("max-redirects")
    maxHeaderBytes = values.bytes("max-header-bytes")
    connectTimeout = values.seconds("connect-timeout")
    maxTime = values.seconds("max-time")
    lowSpeedTime = values.seconds("low-speed-time")
    lowSpeedLimit = values.bytes("low-speed-limit")
    proxy = values.text("proxy")
    noProxy = values.text("noproxy")
    usesNetrc = values.flag("netrc")
    netrcFile = values.text("netrc-file")
    caFile = values.text("cacert")
    insecureHosts = values.list("insecure-host")
  }

  /// What is wrong with a value that is right in form: a file without which every download would fail, or go out
  /// without its credentials; nil when nothing is.
  package var complaint: String? {
    for (name, path) in [("netrc-file", netrcFile), ("cacert", caFile)] {
      if let path, access(path, R_OK) != 0 { return "--\(name): '\(SafeText.escape(path))' cannot be read" }
    }
    let vague = insecureHosts.first { $0.contains("*") || $0.contains("/") }
    return vague.map { "--insecure-host: '\(SafeText.escape($0))' names no single host" }
  }

  /// The loader's configuration, with the proxies of the environment where no flag names one.
  package func configuration(environment: [String: String]) -> HTTPConfiguration {
    var http = HTTPConfiguration()
    func set<T>(_ path: WritableKeyPath<HTTPConfiguration, T>, _ value: T?) {
      if let value { http[keyPath: path] = value }
    }
    set(\.maxConcurrent, connections)
    set(\.retries, retries)
    set(\.maxRetryTime, retryTime.map { .seconds($0) })
    set(\.maxRetryWait, maxWait.map { .seconds($0) })
    set(\.maxRedirects, maxRedirects)
    set(\.maxHeaderBytes, maxHeaderBytes)
    set(\.connectTimeout, connectTimeout.map { .seconds($0) })
    set(\.totalTimeout, maxTime.map { .seconds($0) })
    set(\.stallTimeout, lowSpeedTime.map { .seconds($0) })
    set(\.stallSpeed, lowSpeedLimit)
    http.proxies = HTTPProxies(environment: environment)
    if let proxy { (http.proxies.http, http.proxies.https) = (proxy, proxy) }
    if let noProxy { http.proxies.bypass = HTTPProxies.list(noProxy) }
    if usesNetrc { http.netrc = .standard }
    if let netrcFile { http.netrc = .file(netrcFile) }
    http.caFile = caFile
    http.insecureHosts = insecureHosts
    return http
  }
}
