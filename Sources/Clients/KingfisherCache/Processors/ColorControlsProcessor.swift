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

  public var builtIn: BuiltInProcessor {
    .colorControls(brightness: brightness, contrast: contrast, saturation: saturation, inputEV: inputEV)
  }
}
