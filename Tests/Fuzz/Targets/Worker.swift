import Foundation

@testable import Rendering

extension FuzzTarget {
  /// What a worker sends whose decoder a picture has taken over: the answer's JSON, a NUL, the results' bytes.
  static let workerAnswer = FuzzTarget(name: "worker-answer") { bytes in
    let json = bytes.prefix { $0 != 0 }
    let payload = Array(bytes.dropFirst(json.count + 1))
    guard let answer = try? JSONDecoder().decode(RenderAnswer.self, from: Data(json)) else { return }
    for count in 0...3 {
      guard let results = try? RenderedOutputs(answer: answer, payload: payload, count: count) else {
        continue
      }
      var room = payload.count
      for index in 0...count {
        guard let bytes = try? results.bytes(at: index, source: []) else { continue }
        try hold(index < count, "there is no result that nobody asked for")
        room -= bytes.count
        if let pixels = try? results.pixels(at: index) {
          try hold(pixels.bytes.count == pixels.description.byteCount, "pixels are as many as was said")
        }
      }
      try hold(room >= 0, "results do not share bytes")
      _ = (results.needRest, results.failures.count)
      _ = (0...count).map { results.note(at: $0) }
    }
  }
}
