import Foundation
import NukeCache

/// An app's say in what a pipeline does. Every method has a default that changes nothing. They are called
/// from any thread.
public protocol ImagePipelineDelegate: AnyObject, Sendable {
  /// The whole key of a request in memory and on disk; nil for the usual one. Asked for every variant of a
  /// request that is looked up or stored, with the processors that it has.
  func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String?

  /// What to store on disk in place of `data`; nil stores nothing. The image is nil for original data.
  func willCache(
    data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline
  ) async -> Data?

  /// The disk cache for a request.
  func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)?

  /// The memory cache for a request.
  func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)?

  /// Loads the data of a request.
  func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> any DataLoading

  /// Decodes the data of a request in place of a worker; nil for the worker.
  func imageDecoder(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageDecoding)?

  /// Encodes the image of a request in place of a worker; nil for the worker.
  func imageEncoder(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageEncoding)?
}

extension ImagePipelineDelegate {
  /// Nil: the usual key.
  public func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? { nil }

  /// The data as it is.
  public func willCache(
    data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline
  ) async -> Data? {
    data
  }

  /// The configuration's.
  public func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)? {
    pipeline.configuration.dataCache
  }

  /// The configuration's.
  public func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)? {
    pipeline.configuration.imageCache
  }

  /// The configuration's.
  public func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> any DataLoading {
    pipeline.configuration.dataLoader
  }

  /// Nil: a worker decodes.
  public func imageDecoder(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageDecoding)? { nil }

  /// Nil: a worker encodes.
  public func imageEncoder(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageEncoding)? { nil }
}

/// The delegate of a pipeline that was given none.
final class DefaultPipelineDelegate: ImagePipelineDelegate {}
