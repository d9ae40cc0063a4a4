import Pictures
import Text

/// The Core Image filters that are drawn, with the numbers that they take.
///
/// Defaults: Apple's Core Image Filter Reference. What the filters do beyond its formulas is not
/// published; how near the drawing comes is in `docs/processors.md`.
package enum CoreImageFilters {
  private struct Filter: Sendable {
    /// The inputs by their names, with their defaults.
    var inputs: [(name: String, usual: Double)] = []
    /// The drawing by the defaults; nothing where the picture stays as it is.
    var usual: [RenderStep]
    /// The drawing by other numbers, in the order of the inputs; nil where that is not known.
    var changed: @Sendable ([Double]) -> [RenderStep]? = { _ in nil }
  }

  /// The parameters of a row: all that some filter takes.
  package static let inputs = Set(table.values.flatMap { $0.inputs.map(\.name) }).sorted().map(
    Parameter.input)

  package static func hasInputs(_ values: ProcessorValues) -> Bool {
    inputs.contains { values.has($0.label) }
  }

  package static func isKnown(_ name: String) -> Bool { table[name] != nil }

  /// Whether a filter leaves the picture as it is until an input is set.
  package static func isIdle(_ name: String) -> Bool { table[name].map(\.usual.isEmpty) ?? false }

  /// A filter with its defaults as a job writes it; nil where it takes no numbers.
  package static func example(_ processor: String, _ name: String) -> String? {
    guard let inputs = table[name]?.inputs, !inputs.isEmpty else { return nil }
    let texts = inputs.map { "\($0.name): \(NumberText.plain($0.usual))" }
    return "\(processor)(name: \(name), \(texts.joined(separator: ", ")))"
  }

  /// Why nothing is drawn, as a lint.
  package static func whyUndrawn(_ drawing: ChainForm.Drawing) -> RowLint? {
    guard case .impossible(let reason, let substitute) = drawing else { return nil }
    return ("this filter is not drawn: \(reason)", substitute ?? "")
  }

  /// - Parameters:
  ///   - values: the name, and the inputs that are given.
  ///   - example: a filter that is drawn, as a job writes it.
  ///   - key: the processor's key, for advice.
  package static func drawing(of values: ProcessorValues, example: String, key: String) -> ChainForm.Drawing {
    let name = values.text("name")
    guard let filter = table[name] else {
      return .impossible(
        reason: "the Core Image filter \(name) is not drawn here",
        substitute: "put a processor that looks like it before its key: \(example) as \"\(key)\"")
    }
    let names = filter.inputs.map(\.name)
    if let foreign = inputs.first(where: { values.has($0.label) && !names.contains($0.label) })?.label {
      let all = names.isEmpty ? "it has no inputs" : "it has \(names.joined(separator: ", "))"
      return .impossible(reason: "\(name) has no \(foreign); \(all)")
    }
    let numbers = filter.inputs.map { values.has($0.name) ? values.number($0.name) : $0.usual }
    if numbers == filter.inputs.map(\.usual) { return .steps(filter.usual) }
    return filter.changed(numbers).map { .steps($0) }
      ?? .impossible(
        reason: "what \(name) draws with these inputs is not known here",
        substitute: "put a processor that looks like it before its key: \(example) as \"\(key)\"")
  }

  private static func exposed(_ stops: Double) -> [RenderStep] {
    [.colorControls(brightness: 0, contrast: 1, saturation: 1, exposure: stops)]
  }

  private static func blurred(_ radius: Double) -> [RenderStep] {
    [.gaussianBlur(radius: max(0, radius), keepsOpaque: false)]
  }

  /// libvips sharpens within a radius of 10.
  private static func sharpened(
    _ filter: RenderStep.ColorFilter, _ radius: Double, _ amount: Double
  ) -> [RenderStep]? {
    guard (0.01...10).contains(radius), (0...100).contains(amount) else { return nil }
    return [.filter(filter, amounts: [radius, amount])]
  }

  private static let table: [String: Filter] = [
    "CIColorControls": Filter(
      inputs: [("inputBrightness", 0), ("inputContrast", 1), ("inputSaturation", 1)], usual: []
    ) { [.colorControls(brightness: $0[0], contrast: $0[1], saturation: $0[2], exposure: 0)] },
    "CIExposureAdjust": Filter(inputs: [("inputEV", 0.5)], usual: exposed(0.5)) { exposed($0[0]) },
    "CIGaussianBlur": Filter(inputs: [("inputRadius", 10)], usual: blurred(10)) { blurred($0[0]) },
    "CIHueAdjust": Filter(inputs: [("inputAngle", 0)], usual: []),
    "CIVibrance": Filter(inputs: [("inputAmount", 0)], usual: []),
    "CIVignette": Filter(inputs: [("inputIntensity", 0), ("inputRadius", 1)], usual: []),
    // Its colour is not read.
    "CIColorMonochrome": Filter(inputs: [("inputIntensity", 1)], usual: [.filter(.colorMonochrome)]),
    "CISepiaTone": Filter(inputs: [("inputIntensity", 1)], usual: [.filter(.sepiaTone)]) {
      [.filter(.sepiaTone, amounts: [min(max($0[0], 0), 1)])]
    },
    "CISharpenLuminance": Filter(
      inputs: [("inputRadius", 1.69), ("inputSharpness", 0.4)], usual: [.filter(.sharpenLuminance)]
    ) { sharpened(.sharpenLuminance, $0[0], $0[1]) },
    "CIUnsharpMask": Filter(
      inputs: [("inputRadius", 2.5), ("inputIntensity", 0.5)], usual: [.filter(.unsharpMask)]
    ) { sharpened(.unsharpMask, $0[0], $0[1]) },
  ].merging(
    // Those without a number.
    RenderStep.ColorFilter.allCases.map { filter in
      (
        "CI\(filter.rawValue.prefix(1).uppercased())\(filter.rawValue.dropFirst())",
        Filter(usual: [.filter(filter)])
      )
    }, uniquingKeysWith: { own, _ in own })
}

extension RenderStep.Color {
  /// Limited to sRGB, as the results are.
  package init(_ color: ColorValue) {
    let parts = color.components.map { min(max($0, 0), 1) }
    self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
  }
}

extension RenderStep.BlendMode {
  /// `CGBlendMode` by its name.
  package init?(name: String) {
    guard let mode = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = mode
  }
}
