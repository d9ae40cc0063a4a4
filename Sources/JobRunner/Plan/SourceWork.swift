import CacheCore
import HTTPLoading

/// One download and all that is made of it, in every job of the run.
struct SourceWork: Sendable {
  var url: String
  var scheme: JobEntry.Scheme
  var headers: [HTTPHeader]
  var network: NetworkRules
  var parts: [Part]

  /// How the ledger names the source: the URL itself may hold a secret.
  var sourceID: String { SHA256.hexadecimal(of: url) }

  /// The source inside one plan.
  struct Part: Sendable, Hashable {
    var plan: Int
    var source: Int
  }

  private struct Identity: Hashable {
    var url: String
    var headers: [HTTPHeader]
    var network: NetworkRules
  }

  /// The work of several plans. What two jobs ask for with the same headers is downloaded once.
  static func collect(_ plans: [Plan]) -> [SourceWork] {
    var works: [SourceWork] = []
    var index: [Identity: Int] = [:]
    for (planIndex, plan) in plans.enumerated() {
      let network = plan.settings.network
      let rule = HostHeaders(plan.settings.headers)
      for (sourceIndex, source) in plan.sources.enumerated() {
        let part = Part(plan: planIndex, source: sourceIndex)
        let work = SourceWork(
          url: source.url, scheme: source.scheme, headers: rule.headers(for: source.url),
          network: network, parts: [part])
        guard plans.count > 1 else {
          works.append(work)
          continue
        }
        let identity = Identity(url: work.url, headers: work.headers, network: work.network)
        if let known = index[identity] {
          works[known].parts.append(part)
        } else {
          index[identity] = works.count
          works.append(work)
        }
      }
    }
    return works
  }
}
