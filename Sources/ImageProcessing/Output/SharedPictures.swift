import Rendering

/// Pictures that several results have on their way, kept from the first one that makes them.
struct SharedPictures {
  private var uses: [[RenderStep]: Int] = [:]
  private var pictures: [[RenderStep]: Picture] = [:]
  private var byteCount = 0

  private static let heldBytes = 64 << 20

  init(_ outputs: [RenderRequest.Output]) {
    for output in outputs {
      for count in 1...max(output.steps.count, 1) where count <= output.steps.count {
        uses[Array(output.steps.prefix(count)), default: 0] += 1
      }
    }
  }

  /// The picture after as many of the first steps as are known.
  func longest(of steps: [RenderStep]) -> (picture: Picture, count: Int)? {
    for count in stride(from: steps.count, to: 0, by: -1) {
      if let picture = pictures[Array(steps.prefix(count))] { return (picture, count) }
    }
    return nil
  }

  /// Keeps a picture that is wanted again. It has to be in memory.
  mutating func keep(_ picture: Picture, after steps: [RenderStep]) {
    let size = picture.image.byteCount
    guard uses[steps, default: 0] > 1, byteCount + size <= SharedPictures.heldBytes else { return }
    byteCount += size
    pictures[steps] = picture
  }
}
