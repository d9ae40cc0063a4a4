import KingfisherCache
import Rendering

struct KingfisherDrawing {
  var version: KingfisherVersion
  var scaleFactor: Double
  func drawing(of processors: [BuiltInProcessor]) -> ChainVariant.Drawing { .steps([]) }
}
