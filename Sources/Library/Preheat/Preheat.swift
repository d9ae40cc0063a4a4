// One import for a program that uses the pipeline: it, Nuke's caches and requests, the loader, pictures and signposts.
// KingfisherCache stays an import of its own, since both clients have an ImageCache and an ImageProcessor.
@_exported import Fetching
@_exported import ImagePipeline
@_exported import NukeCache
@_exported import Pictures
@_exported import Signposts
