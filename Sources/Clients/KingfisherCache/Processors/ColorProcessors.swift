/// A colour by the constructor that made it. In Kingfisher this names `UIColor` or `NSColor`.
public typealias KFCrossPlatformColor = BuiltInProcessor.Color

/// Lays a colour over an image. Kingfisher's `OverlayImageProcessor`.
public struct OverlayImageProcessor: BuiltInImageProcessor, Hashable {
  public var overlay: KFCrossPlatformColor
  /// 0 shows the colour alone, 1 the image alone.
  public var fraction: Double

  public init(overlay: KFCrossPlatformColor, fraction: Double = 0.5) {
    self.overlay = overlay
    self.fraction = fraction
  }

  var builtIn: BuiltInProcessor {
    .overlay(color: overlay, fraction: fraction)
  }
}

/// Tints an image with a colour. Kingfisher's `TintImageProcessor`.
public struct TintImageProcessor: BuiltInImageProcessor, Hashable {
  public var tint: KFCrossPlatformColor

  public init(tint: KFCrossPlatformColor) {
    self.tint = tint
  }

  var builtIn: BuiltInProcessor {
    .tint(color: tint)
  }
}

/// Changes brightness, contrast, saturation and exposure. Kingfisher's `ColorControlsProcessor`.
public struct ColorControlsProcessor: BuiltInImageProcessor, Hashable {
  public var brightness: Double
  public var contrast: Double
  public var saturation: Double
  /// Exposure, in stops.
  public var inputEV: Double

  public init(brightness: Double, contrast: Double, saturation: Double, inputEV: Double) {
    self.brightness = brightness
    self.contrast = contrast
    self.saturation = saturation
    self.inputEV = inputEV
  }

  var builtIn: BuiltInProcessor {
    .colorControls(brightness: brightness, contrast: contrast, saturation: saturation, inputEV: inputEV)
  }
}

/// Makes an image black and white. Kingfisher's `BlackWhiteProcessor`.
public struct BlackWhiteProcessor: BuiltInImageProcessor, Hashable {
  public init() {}

  var builtIn: BuiltInProcessor {
    .blackWhite
  }
}

/// Blends an image with a background. Kingfisher's `BlendImageProcessor`.
public struct BlendImageProcessor: BuiltInImageProcessor, Hashable {
  public var blendMode: BuiltInProcessor.BlendMode
  public var alpha: Double
  public var backgroundColor: KFCrossPlatformColor?

  public init(
    blendMode: BuiltInProcessor.BlendMode, alpha: Double = 1, backgroundColor: KFCrossPlatformColor? = nil
  ) {
    self.blendMode = blendMode
    self.alpha = alpha
    self.backgroundColor = backgroundColor
  }

  var builtIn: BuiltInProcessor {
    .blend(mode: blendMode, alpha: alpha, backgroundColor: backgroundColor)
  }
}

/// Blurs an image. Kingfisher's `BlurImageProcessor`.
public struct BlurImageProcessor: BuiltInImageProcessor, Hashable {
  public var blurRadius: Double

  public init(blurRadius: Double) {
    self.blurRadius = blurRadius
  }

  var builtIn: BuiltInProcessor {
    .blur(blurRadius: blurRadius)
  }
}
