/// A colour by the constructor that made it. In Kingfisher this names `UIColor` or `NSColor`.
public typealias KFCrossPlatformColor = BuiltInProcessor.Color

/// Lays a colour over an image. Kingfisher's `OverlayImageProcessor`.
public struct OverlayImageProcessor: BuiltInImageProcessor, Hashable {
  /// The colour that is laid over the image.
  public var overlay: KFCrossPlatformColor
  /// 0 shows the colour alone, 1 the image alone.
  public var fraction: Double

  /// An overlay; by default half of the image shows through.
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
  /// The colour that the image is tinted with.
  public var tint: KFCrossPlatformColor

  /// A tint with a colour.
  public init(tint: KFCrossPlatformColor) {
    self.tint = tint
  }

  var builtIn: BuiltInProcessor {
    .tint(color: tint)
  }
}

/// Changes brightness, contrast, saturation and exposure. Kingfisher's `ColorControlsProcessor`.
public struct ColorControlsProcessor: BuiltInImageProcessor, Hashable {
  /// Added to each component, -1 to 1; 0 changes nothing (`CIColorControls`).
  public var brightness: Double
  /// 1 changes nothing (`CIColorControls`).
  public var contrast: Double
  /// 0 is grey, 1 changes nothing (`CIColorControls`).
  public var saturation: Double
  /// Exposure, in stops.
  public var inputEV: Double

  /// All four have to be given, as in Kingfisher.
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
  /// It has no parameters.
  public init() {}

  var builtIn: BuiltInProcessor {
    .blackWhite
  }
}

/// Blends an image with a background. Kingfisher's `BlendImageProcessor`.
public struct BlendImageProcessor: BuiltInImageProcessor, Hashable {
  /// How image and background are mixed.
  public var blendMode: BuiltInProcessor.BlendMode
  /// How much of the image counts, 0 to 1.
  public var alpha: Double
  /// Drawn before the image; nil for none.
  public var backgroundColor: KFCrossPlatformColor?

  /// A mode, and by default the whole image and no background.
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
  /// Points of the Gaussian's radius.
  public var blurRadius: Double

  /// A blur with a radius in points.
  public init(blurRadius: Double) {
    self.blurRadius = blurRadius
  }

  var builtIn: BuiltInProcessor {
    .blur(blurRadius: blurRadius)
  }
}
