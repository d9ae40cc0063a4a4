import Foundation
import Nuke

/// Records every request of a pipeline with its key in the disk cache and where its picture came from.
///
///     #if DEBUG
///       ImagePipeline.shared = ImagePipeline(configuration: configuration, delegate: RequestRecorder())
///     #endif
///
/// Needs `RequestLog.swift`. For Nuke 10, 11 or 12 set the flag `NUKE_10`, `NUKE_11` or `NUKE_12`, or keep their lines
/// alone.
final class RequestRecorder: Sendable {
  private let log: RequestLog

  init(log: RequestLog = RequestLog()) { self.log = log }

  fileprivate func add(_ request: ImageRequest, _ response: ImageResponse?, _ pipeline: ImagePipeline) {
    let url = request.url?.absoluteString
    #if NUKE_10 || NUKE_11 || NUKE_12
      // `imageId` is the URL in these releases.
      let id = request.userInfo[.imageIdKey] as? String
    #else
      let id = request.imageID
    #endif
    log.add(
      key: pipeline.cache.makeDataCacheKey(for: request), url: url, id: id == url ? nil : id,
      found: Self.found(response), options: Self.names(of: request.options))
  }

  private static func found(_ response: ImageResponse?) -> RequestLog.Found {
    switch response?.cacheType {
    case .memory: return .memory
    case .disk: return .disk
    default: return .none
    }
  }

  private static func names(of options: ImageRequest.Options) -> [String] {
    let known: [(ImageRequest.Options, String)] = [
      (.reloadIgnoringCachedData, "reloadIgnoringCachedData"),
      (.disableDiskCacheReads, "disableDiskCacheReads"),
      (.returnCacheDataDontLoad, "returnCacheDataDontLoad"),
    ]
    return known.filter { options.isSuperset(of: $0.0) }.map { $0.1 }
  }
}

#if NUKE_10
  extension RequestRecorder: ImagePipelineDelegate {
    func pipeline(
      _ pipeline: ImagePipeline, imageTask: ImageTask, didReceiveEvent event: ImageTaskEvent
    ) {
      if case .completed(let result) = event { add(imageTask.request, try? result.get(), pipeline) }
    }
  }
#elseif NUKE_11
  extension RequestRecorder: ImagePipelineDelegate {
    /// This release does not say which pipeline it is. A key is the same in each, unless its delegate has `cacheKey`: then
    /// write the app's own pipeline in its place.
    private static let anyPipeline = ImagePipeline()

    func imageTask(
      _ task: ImageTask, didCompleteWithResult result: Result<ImageResponse, ImagePipeline.Error>
    ) {
      add(task.request, try? result.get(), Self.anyPipeline)
    }
  }
#elseif NUKE_12
  extension RequestRecorder: ImagePipelineDelegate {
    func imageTask(
      _ task: ImageTask, didCompleteWithResult result: Result<ImageResponse, ImagePipeline.Error>,
      pipeline: ImagePipeline
    ) {
      add(task.request, try? result.get(), pipeline)
    }
  }
#else
  // Nuke 14 calls it on `ImagePipelineActor`; a method that is bound to no actor serves both.
  extension RequestRecorder: ImagePipeline.Delegate {
    nonisolated func imageTask(
      _ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline
    ) {
      guard case .finished(let result) = event else { return }
      // It was given up, not missed.
      if case .failure(.cancelled) = result { return }
      add(task.request, try? result.get(), pipeline)
    }
  }
#endif
