import Foundation
import Nuke

/// Records every request of a pipeline with its key in the disk cache and where its picture came from.
///
///     #if DEBUG
///       ImagePipeline.shared = ImagePipeline(configuration: configuration, delegate: RequestRecorder())
///     #endif
///
/// Needs `RequestLog.swift`. Until Nuke 12 the protocol is called `ImagePipelineDelegate`.
final class RequestRecorder: ImagePipeline.Delegate {
  private let log: RequestLog

  init(log: RequestLog = RequestLog()) { self.log = log }

  func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {
    guard case .finished(let result) = event else { return }
    let request = task.request
    log.add(
      key: pipeline.cache.makeDataCacheKey(for: request), url: request.url,
      found: Self.found(try? result.get()))
  }

  private static func found(_ response: ImageResponse?) -> RequestLog.Found {
    switch response?.cacheType {
    case .memory: .memory
    case .disk: .disk
    default: .none
    }
  }
}
