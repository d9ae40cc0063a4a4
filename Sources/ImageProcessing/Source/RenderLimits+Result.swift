import Rendering

extension RenderLimits {
  /// Refuses a size that a result may not have.
  ///
  /// - Parameter subject: what has it, as it stands in the message.
  func checkSize(width: Int, height: Int, of subject: String = "the result") throws(RenderFailure) {
    guard min(width, height) >= 1 else {
      throw RenderFailure(.size, "\(subject) would be \(width)x\(height) pixels; a side needs one at least")
    }
    let side = max(width, height)
    guard side <= maxSide else {
      throw RenderFailure(.limit, "\(subject) would be \(width)x\(height) pixels; a side may have \(maxSide)")
    }
    guard Double(width) * Double(height) <= Double(maxPixels) else {
      throw RenderFailure(.limit, "\(subject) would be \(width)x\(height) pixels; \(maxPixels) are allowed")
    }
  }
}
