import Foundation
import NukeCache

extension ImagePipeline {
  /// All caches of a pipeline as one, with the keys made for the caller: Nuke's `ImagePipeline.Cache`.
  ///
  ///     pipeline.cache["https://example.com/image.jpeg"] = ImageContainer(image: image)
  ///     pipeline.cache.removeCachedImage(for: request)
  ///
  /// Every method honours the options of the request where they say something about it. An HTTP cache is not among
  /// these caches. What decodes or encodes does so in a worker, and waits for it.
  public struct Cache: Sendable {
    let pipeline: ImagePipeline

    /// The layers that a call is about.
    public struct Caches: OptionSet, Hashable, Sendable {
      /// A bit for each layer.
      public let rawValue: Int

      /// The layers of these bits.
      public init(rawValue: Int) { self.rawValue = rawValue }

      /// The images that are ready for use.
      public static let memory = Caches(rawValue: 1 << 0)
      /// The data on disk.
      public static let disk = Caches(rawValue: 1 << 1)
      /// Both layers.
      public static let all: Caches = [.memory, .disk]
    }

    private var imageCache: ImageCache? { pipeline.configuration.imageCache }
    private var dataCache: DataCache? { pipeline.configuration.dataCache }

    /// Empties the caches; the one on disk loses the files of others too.
    public func removeAll(caches: Caches = .all) {
      if caches.contains(.memory) { imageCache?.removeAll() }
      if caches.contains(.disk) { dataCache?.removeAll() }
    }

    /// The key in memory: image ID, thumbnail and processors, or the delegate's text alone.
    public func makeImageCacheKey(for request: ImageRequest) -> ImageCacheKey {
      pipeline.delegate?.cacheKey(for: request, pipeline: pipeline).map { ImageCacheKey(key: $0) }
        ?? ImageCacheKey(request: request)
    }

    /// The key on disk: image ID, thumbnail and processors as the version spells them, or the delegate's text
    /// alone. Empty, and so never stored or found, for a request that the version cannot express.
    public func makeDataCacheKey(for request: ImageRequest) -> String {
      if let key = pipeline.delegate?.cacheKey(for: request, pipeline: pipeline) { return key }
      let format = pipeline.drawing.format
      let (thumbnail, processors) = (request.thumbnail, request.processors)
      guard format.unsupportedReason(thumbnail: thumbnail, processors: processors) == nil else { return "" }
      return format.dataCacheKey(imageID: request.imageID ?? "", thumbnail: thumbnail, processors: processors)
    }

    /// The image of a request in memory; setting nil removes it there.
    public subscript(request: some ImageRequestConvertible) -> ImageContainer? {
      get {
        let request = request.asImageRequest()
        return request.options.readsMemoryCache ? imageCache?[makeImageCacheKey(for: request)] : nil
      }
      nonmutating set {
        let request = request.asImageRequest()
        guard newValue == nil || request.options.writesMemoryCache else { return }
        imageCache?[makeImageCacheKey(for: request)] = newValue
      }
    }

    /// The image of a request, from memory or else decoded from disk. Nothing is moved between the layers.
    public func cachedImage(
      for request: some ImageRequestConvertible, caches: Caches = .all
    ) -> ImageContainer? {
      let request = request.asImageRequest()
      if caches.contains(.memory), let container = self[request] { return container }
      guard caches.contains(.disk), let data = cachedData(for: request) else { return nil }
      // Data that makes no image is a miss: it stays, and the next source is asked.
      return BlockingCall.wait { [drawing = pipeline.drawing] in
        try? await drawing.decode([UInt8](data), thumbnail: request.thumbnail, processors: []).container
      }
    }

    /// Stores an image in memory and, encoded, on disk under this request's key, whatever the policy.
    public func storeCachedImage(
      _ container: ImageContainer, for request: some ImageRequestConvertible, caches: Caches = .all
    ) {
      let request = request.asImageRequest()
      if caches.contains(.memory) { self[request] = container }
      guard caches.contains(.disk), request.options.writesDiskCache else { return }
      let data = BlockingCall.wait { [drawing = pipeline.drawing] in try? await drawing.encode(container) }
      if let data { dataCache?.storeData(data, for: makeDataCacheKey(for: request)) }
    }

    /// Removes the image of this request, whatever its options say.
    public func removeCachedImage(for request: some ImageRequestConvertible, caches: Caches = .all) {
      let request = request.asImageRequest()
      if caches.contains(.memory) { self[request] = nil }
      if caches.contains(.disk) { dataCache?.removeData(for: makeDataCacheKey(for: request)) }
    }

    /// The data on disk under exactly this request's key; nil if the request does not read the disk cache.
    public func cachedData(for request: some ImageRequestConvertible) -> Data? {
      let request = request.asImageRequest()
      guard request.options.readsDiskCache else { return nil }
      return dataCache?.cachedData(for: makeDataCacheKey(for: request))
    }

    /// Whether there is data under exactly this request's key, whatever its options say. Does not read it.
    public func containsData(for request: some ImageRequestConvertible) -> Bool {
      dataCache?.containsData(for: makeDataCacheKey(for: request.asImageRequest())) ?? false
    }
  }
}
