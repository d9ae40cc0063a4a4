extension RenderStep {
  /// Why no picture whatever can come of the step; nil where that depends on the picture. By the rules of
  /// ``ResizeGeometry``, ``ThumbnailGeometry``, ``ResizingGeometry``, ``CroppingGeometry`` and those of the steps
  /// themselves, which a worker draws by.
  package var obstacle: String? {
    switch self {
    case .resize(let resize): resize.isNothing ? Self.noSize : nil
    case .thumbnail(let thumbnail): thumbnail.size.isNothing ? Self.noSize : nil
    case .resizing(let resizing): resizing.isNothing ? Self.noSize : nil
    case .cropping(let cropping): min(cropping.width, cropping.height) <= 0 ? Self.noSize : nil
    case .cornerRounding(let rounding): rounding.target?.isNothing == true ? Self.noSize : nil
    case .region(let region): min(region.width, region.height) <= 0 ? Self.noSize : nil
    case .letterbox(let box): min(box.width, box.height) <= 0 ? Self.noSize : nil
    case .circle, .wideCircle, .roundedCorners, .gaussianBlur, .boxBlur, .edgeLine, .overlay, .tint,
      .colorControls, .blend, .colorBlend, .flip, .rotation, .framing, .filter:
      nil
    }
  }

  private static let noSize = "a size of 0 or less makes no picture"
}

extension RenderStep.Resize {
  /// A picture that fills its target has a side as soon as one of the target's has; one that is cut to it needs both.
  fileprivate var isNothing: Bool {
    contentMode == .aspectFill && !crop ? max(width, height) <= 0 : min(width, height) <= 0
  }
}

extension RenderStep.Resizing {
  fileprivate var isNothing: Bool {
    contentMode == .aspectFill ? max(width, height) <= 0 : min(width, height) <= 0
  }
}

extension RenderStep.Thumbnail.Size {
  fileprivate var isNothing: Bool {
    switch self {
    case .maxPixelSize(let side): side <= 0
    case .flexible(let width, let height, .aspectFill): max(width, height) <= 0
    case .flexible(let width, let height, .aspectFit): min(width, height) <= 0
    }
  }
}
