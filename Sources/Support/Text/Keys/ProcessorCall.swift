/// A processor with its arguments, whatever the client: the name and the labels are those of a job. Keys, job text, the
/// app's code and drawing all follow from it by the client's rows.
package struct ProcessorCall: Hashable, Sendable {
  package var name: String
  package var values: ProcessorValues
  private var own: ByteText?

  /// The identifier of the app's own that stands in the key in place of the processor's.
  package var identifier: String? {
    get { own?.text }
    set { own = newValue.map { ByteText($0) } }
  }

  package init(_ name: String, _ values: ProcessorValues = [:], as identifier: String? = nil) {
    self.name = name
    self.values = values
    own = identifier.map { ByteText($0) }
  }

  /// A processor of the app's own, by its identifier alone.
  package static func custom(_ identifier: String) -> ProcessorCall {
    ProcessorCall(customName, as: identifier)
  }

  /// The source as it came, with a text of the app's own behind its key.
  package static func original(as identifier: String) -> ProcessorCall {
    ProcessorCall(originalName, as: identifier)
  }

  package static let customName = "custom"
  private static let originalName = "original"

  package var isCustom: Bool { name == Self.customName }
  package var isOriginal: Bool { name == Self.originalName }
}

/// The value of an argument.
package enum ProcessorValue: Hashable, Sendable {
  case number(Double)
  case whole(Int)
  case flag(Bool)
  /// A case of an enumeration.
  case word(String)
  case text(String)
  /// Width and height; x and y; x, y, width and height.
  case numbers([Double])
  case color(ColorValue)
  /// The library's own bits.
  case corners(UInt)
  /// A number under one of several words: `widthFraction(0.5)`.
  case measure(String, Double)
  case group(ProcessorValues)
}

/// A colour by the initialiser that made it: descriptions tell them apart. Components are sRGB and may lie outside 0 to 1
/// (wide gamut).
public enum ColorValue: Hashable, Sendable {
  /// `UIColor(red:green:blue:alpha:)` and its kin.
  case rgba(red: Double, green: Double, blue: Double, alpha: Double)
  /// `UIColor(white:alpha:)`, `.black`, `.white`, `.clear`, the grey family.
  case gray(white: Double, alpha: Double)

  /// As `UIColor(red:green:blue:alpha:)`, opaque by default.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self = .rgba(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// As `UIColor(white:alpha:)`.
  public init(white: Double, alpha: Double) { self = .gray(white: white, alpha: alpha) }

  /// - Parameter numbers: red, green, blue and alpha, or white and alpha.
  package init(_ numbers: [Double]) {
    self =
      numbers.count == 2
      ? .gray(white: numbers[0], alpha: numbers[1])
      : .rgba(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: numbers[3])
  }

  /// Red, green, blue and alpha.
  package var components: [Double] {
    switch self {
    case .rgba(let red, let green, let blue, let alpha): [red, green, blue, alpha]
    case .gray(let white, let alpha): [white, white, white, alpha]
    }
  }

  package var value: ProcessorValue { .color(self) }
}

/// `CGBlendMode`: its names and raw values.
public enum BlendModeValue: Int, Hashable, Sendable, CaseIterable {
  /// The separable modes, which work on each component alone.
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
  /// `difference` and `exclusion` are separable too; the others mix hue, saturation and luminosity.
  case difference, exclusion, hue, saturation, color, luminosity
  /// Porter and Duff's operators, which go by the alphas.
  case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut
  /// The last of these operators, and two sums that are clamped.
  case destinationAtop, xor, plusDarker, plusLighter
}

/// The values of a processor by their labels.
package struct ProcessorValues: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  private struct Item: Hashable, Sendable {
    var label: String
    var value: ProcessorValue
  }

  /// By label, so that values are the same in whatever order they came.
  private var items: [Item] = []

  package init(dictionaryLiteral elements: (String, ProcessorValue?)...) {
    for (label, value) in elements { self[label] = value }
  }

  package subscript(label: String) -> ProcessorValue? {
    get { items.first { $0.label == label }?.value }
    set {
      items.removeAll { $0.label == label }
      guard let newValue else { return }
      let place = items.firstIndex { $0.label > label } ?? items.count
      items.insert(Item(label: label, value: newValue), at: place)
    }
  }

  package var all: [ProcessorValue] { items.map(\.value) }

  package func merging(_ others: ProcessorValues) -> ProcessorValues {
    var merged = self
    for item in others.items { merged[item.label] = item.value }
    return merged
  }

  package func has(_ label: String) -> Bool { self[label] != nil }
}

/// Values of the type that their row has; a row fills in what is left out, so the other type never comes.
extension ProcessorValues {
  package func number(_ label: String) -> Double {
    switch self[label] {
    case .number(let value): value
    case .whole(let value): Double(value)
    default: 0
    }
  }

  package func whole(_ label: String) -> Int {
    if case .whole(let value) = self[label] { value } else { 0 }
  }

  package func flag(_ label: String) -> Bool {
    if case .flag(let value) = self[label] { value } else { false }
  }

  package func word(_ label: String) -> String {
    if case .word(let value) = self[label] { value } else { "" }
  }

  package func text(_ label: String) -> String {
    if case .text(let value) = self[label] { value } else { "" }
  }

  /// Width and height.
  package func size(_ label: String) -> (width: Double, height: Double) {
    let values = numbers(label)
    return values.count == 2 ? (values[0], values[1]) : (0, 0)
  }

  package func numbers(_ label: String) -> [Double] {
    if case .numbers(let values) = self[label] { values } else { [] }
  }

  package func color(_ label: String) -> ColorValue? {
    if case .color(let value) = self[label] { value } else { nil }
  }

  package func corners(_ label: String) -> UInt {
    if case .corners(let bits) = self[label] { bits } else { 0 }
  }

  package func group(_ label: String) -> ProcessorValues? {
    if case .group(let values) = self[label] { values } else { nil }
  }

  /// All numbers, also those of groups.
  package var allNumbers: [Double] {
    all.flatMap { value -> [Double] in
      switch value {
      case .number(let number), .measure(_, let number): [number]
      case .numbers(let numbers): numbers
      case .group(let values): values.allNumbers
      default: []
      }
    }
  }

  /// All colours, also those of groups.
  package var allColors: [ColorValue] {
    all.flatMap { value -> [ColorValue] in
      switch value {
      case .color(let color): [color]
      case .group(let values): values.allColors
      default: []
      }
    }
  }
}
