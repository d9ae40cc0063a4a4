import CacheStore
import Fetching
import Planning

/// From what is open about a source to its bytes, or to the word that they are what they were.
extension RunEngine {
  /// What a cache folder remembers of the web. A source of several caches is remembered by the first.
  package func web(of work: SourceWork) -> WebSources {
    work.parts.first.map { webOfSession[sessionOfPlan[$0.plan]] } ?? .none
  }

  /// - Parameter head: the file's beginning where it is here already.
  package func load(
    _ work: SourceWork, _ needs: SourceNeeds, after head: SourceBody? = nil
  ) async throws(RunFailure) -> SourceLoader.Outcome {
    switch work.scheme {
    case .file, .data:
      return .body(
        try SourceLoader.read(
          local: work.url, isFile: work.scheme == .file, maxBytes: options.http.maxBodyBytes))
    case .http, .https: break
    }
    let loader = try loader(for: work)
    let tasks = needs.tasks
    let request = request(for: work, tasks)
    if tasks.allSatisfy(isOffline) {
      if let body = loader.cached(request) ?? storedOriginal(of: work) { return .body(body) }
      throw .offline(isEntrys: !options.isOffline)
    }
    if let head, let body = await loader.loadRest(of: head, request) { return .body(body) }
    return try await loader.load(request, unless: needs.question)
  }

  package func loader(for work: SourceWork) throws(RunFailure) -> SourceLoader {
    guard let http = loaders[work.network] else {
      throw RunFailure(step: .fetch, code: "fetch.network", message: "no loader for this job")
    }
    return SourceLoader(
      http: http, web: web(of: work), maxBytes: options.http.maxBodyBytes,
      resumptions: options.http.retries, wait: options.http.retryDelay)
  }

  package func request(for work: SourceWork, _ tasks: [RenditionTask]) -> HTTPRequest {
    var request = work.request
    request.priority = tasks.map(\.options.priority).max() ?? .normal
    if tasks.contains(where: reloads) { request.cachePolicy = .reloadIgnoringCache }
    return request
  }

  /// The picture as it came, if an earlier run stored it under the client's own key for it.
  private func storedOriginal(of work: SourceWork) -> SourceBody? {
    let sourceID = work.sourceID
    for part in work.parts {
      let session = sessions[sessionOfPlan[part.plan]]
      for row in plans[part.plan].rows(ofSource: part.source) {
        let names = plans[part.plan].layout.fileNames(forKey: plans[part.plan].baseKey(of: row))
        for name in names {
          if let body = session.original(file: name, sourceID: sourceID) { return body }
        }
      }
    }
    return nil
  }
}

extension RunFailure {
  fileprivate static func offline(isEntrys: Bool) -> RunFailure {
    RunFailure(
      step: .fetch, code: "source.offline",
      message: "neither the cache nor the HTTP cache has it, and "
        + (isEntrys ? "the entry says offline" : "the run is offline"),
      advice: "run once without \(isEntrys ? "offline" : "--offline")")
  }
}
