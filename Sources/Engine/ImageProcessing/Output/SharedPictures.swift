import Rendering

/// Pictures that several results have on their way, kept from the first one that makes them.
struct SharedPictures {
  /// The first steps of a result, and what they are drawn from.
  struct Prefix: Hashable {
    private var output: RenderRequest.Output

    init(_ output: RenderRequest.Output, _ count: Int) {
      self.output = output
      self.output.steps = Array(output.steps.prefix(count))
      self.output.keepsGamut = output.isWide
      self.output.encoding = .png
    }
  }

  private var uses: [Prefix: Int] = [:]
  private var pictures: [Prefix: Picture] = [:]
  private var byteCount = 0

  private static let heldBytes = 64 << 20

  init(_ outputs: [RenderRequest.Output]) {
    for output in outputs {
      for count in output.steps.indices.map({ $0 + 1 }) { uses[Prefix(output, count), default: 0] += 1 }
    }
  }

  /// The picture after as many of the first steps as are known.
  func longest(of output: RenderRequest.Output) -> (picture: Picture, count: Int)? {
    for count in stride(from: output.steps.count, to: 0, by: -1) {
      if let picture = pictures[Prefix(output, count)] { return (picture, count) }
    }
    return nil
  }

  /// Bytes that may still be kept.
  var room: Int { SharedPictures.heldBytes - byteCount }

  /// Keeps a picture that is wanted again. It has to be in memory.
  ///
  /// - Parameter isWanted: also where only one result needs it.
  mutating func keep(
    _ picture: Picture, after count: Int, of output: RenderRequest.Output, isWanted: Bool = false
  ) {
    let prefix = Prefix(output, count)
    let size = picture.image.byteCount
    guard isWanted || uses[prefix, default: 0] > 1, pictures[prefix] == nil,
      byteCount + size <= SharedPictures.heldBytes
    else { return }
    byteCount += size
    pictures[prefix] = picture
  }
}
