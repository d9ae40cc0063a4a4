import ClientKit
import Digests
import JobFile
import Pictures

/// One download and all that is made of it, in every job of the run.
package struct SourceWork: Sendable {
  package var url: String
  /// From 1, in the order of the run.
  package private(set) var number = 0
  package var scheme: SourceScheme
  package var headers: [HostHeader]
  /// For the hosts that a redirect leads to.
  package var redirectHeaders: [HostHeader] { rules.redirectHeaders }
  package private(set) var parts: [Part]
  package var first: Part { parts[0] }

  private let rules: Rules

  private init(_ source: Plan.Source, _ headers: [HostHeader], _ rules: Rules, _ part: Part) {
    url = source.address
    scheme = source.scheme
    self.headers = headers.headers(for: source.url)
    self.rules = rules
    parts = [part]
  }

  /// What sources of one job have in common.
  private struct Rules: Hashable, Sendable {
    let network: NetworkRules
    let redirectHeaders: [HostHeader]
    let limits: RenderLimits

    init(_ settings: JobSettings) {
      redirectHeaders = settings.values[JobKey.header].filter(\.mayFollowRedirects)
      network = NetworkRules(settings)
      limits = settings.values.limits()
    }
  }

  /// How the ledger names the source: the URL itself, without its fragment, may hold a secret.
  package var sourceID: String { SHA256.hexadecimal(of: url) }

  package struct Part: Sendable, Hashable {
    package var plan: Int
    package var source: Int
  }

  private struct Identity: Hashable {
    var url: String
    var headers: [HostHeader]
    var rules: Rules
  }

  /// The work of several plans. What two jobs ask for with the same headers and limits is downloaded once, and so are
  /// URLs that differ in their fragments only. The most urgent comes first.
  package static func collect(_ plans: [Plan]) -> AnySequence<SourceWork> {
    // One plan knows each URL once already, and the work of a million of them is made when its turn comes.
    guard plans.count == 1, !plans[0].sources.contains(where: \.hasFragment) else {
      return AnySequence(joined(plans))
    }
    let (rules, headers) = (Rules(plans[0].settings), plans[0].settings.values[JobKey.header])
    return AnySequence(
      plans[0].sources.enumerated().lazy.map { index, source in
        var work = SourceWork(source, headers, rules, Part(plan: 0, source: index))
        work.number = index + 1
        return work
      })
  }

  private static func joined(_ plans: [Plan]) -> [SourceWork] {
    var works: [SourceWork] = []
    var index: [Identity: Int] = [:]
    for (planIndex, plan) in plans.enumerated() {
      let rules = Rules(plan.settings)
      let headers = plan.settings.values[JobKey.header]
      for (sourceIndex, source) in plan.sources.enumerated() {
        let part = Part(plan: planIndex, source: sourceIndex)
        let work = SourceWork(source, headers, rules, part)
        let identity = Identity(url: work.url, headers: work.headers, rules: rules)
        if let known = index[identity] {
          works[known].parts.append(part)
        } else {
          index[identity] = works.count
          works.append(work)
        }
      }
    }
    works = ordered(works, plans)
    for index in works.indices { works[index].number = index + 1 }
    return works
  }

  /// A plan is ordered by itself; several are put together here, each priority in the order of the jobs.
  private static func ordered(_ works: [SourceWork], _ plans: [Plan]) -> [SourceWork] {
    guard plans.contains(where: { $0.options.contains { $0.priority != .normal } }) else { return works }
    return works.map { (rank: $0.priority(in: plans), work: $0) }.sorted { $0.rank > $1.rank }.map(\.work)
  }

  private func priority(in plans: [Plan]) -> RequestPriority {
    parts.flatMap { part in
      plans[part.plan].rows(ofSource: part.source).map { plans[part.plan].options[Int($0.options)].priority }
    }.max() ?? .normal
  }
}

extension Plan.Source {
  fileprivate var hasFragment: Bool {
    scheme.isWeb && !url.hasBytes { $0 != UInt8(ascii: "#") }
  }

  /// The URL as a server is asked for it: a fragment stays with the client (RFC 9110, section 4.2.5).
  fileprivate var address: String { hasFragment ? String(url.prefix { $0 != "#" }) : url }
}

extension [HostHeader] {
  /// Those that a job gives for a URL's host.
  package func headers(for url: String) -> [HostHeader] {
    guard !isEmpty, let scheme = url.range(of: "://") else { return [] }
    // With port and without user info (RFC 3986, section 3.2).
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last?.lowercased() ?? ""
    let colon = host.hasSuffix("]") ? nil : host.lastIndex(of: ":")
    let name = colon.map { String(host[..<$0]) } ?? host
    return filter { [host, name].contains($0.host.lowercased()) }
  }
}
