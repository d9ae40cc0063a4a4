import Fetching
import FileStore
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
  package var fetchTimeout: Double?
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
    connections = values[CommandKey.connections]
    retries = values[CommandKey.retries]
    retryTime = values[CommandKey.retryTime]
    maxWait = values[CommandKey.maxWait]
    maxRedirects = values[CommandKey.maxRedirects]
    maxHeaderBytes = values[CommandKey.maxHeaderBytes]
    connectTimeout = values[CommandKey.connectTimeout]
    fetchTimeout = values[CommandKey.fetchTimeout]
    lowSpeedTime = values[CommandKey.lowSpeedTime]
    lowSpeedLimit = values[CommandKey.lowSpeedLimit]
    proxy = values[CommandKey.proxy]
    noProxy = values[CommandKey.noProxy]
    usesNetrc = values[CommandKey.netrc]
    netrcFile = values[CommandKey.netrcFile]
    caFile = values[CommandKey.caFile]
    insecureHosts = values[CommandKey.insecureHost]
  }

  /// What is wrong with a value that is right in form: a file without which every download would fail, or go out
  /// without its credentials; nil when nothing is.
  package var complaint: String? {
    for (name, path) in [("netrc-file", netrcFile), ("cacert", caFile)] {
      if let path, access(path, R_OK) != 0 || OutputFile.isFolder(path) {
        return "--\(name): '\(SafeText.escape(path))' cannot be read"
      }
    }
    let vague = insecureHosts.first { $0.contains("*") || $0.contains("/") }
    return vague.map { "--insecure-host: '\(SafeText.escape($0))' does not name a single host" }
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
    set(\.totalTimeout, fetchTimeout.map { .seconds($0) })
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
