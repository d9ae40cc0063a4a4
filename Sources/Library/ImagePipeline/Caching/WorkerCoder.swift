import Foundation
import NukeCache

/// Decodes and encodes in worker processes for callers that wait: the methods of `ImagePipelineCache`.
struct WorkerCoder: ImageDecoding, ImageEncoding {
  package var drawing: PipelineDrawing

  package func decode(_ data: Data, for request: ImageRequest) throws -> ImageContainer {
    let drawing = drawing
    return try BlockingCall.wait {
      try await drawing.decode([UInt8](data), thumbnail: request.thumbnail, processors: []).container
    }
  }

  package func encode(_ container: ImageContainer, for request: ImageRequest) -> Data? {
    let drawing = drawing
    return try? BlockingCall.wait { try await drawing.encode(container) }
  }
}
