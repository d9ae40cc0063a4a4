extension CacheKeyFormat {
  /// A border's colour: `#RRGGBB`, with a fourth pair of digits only where it is not opaque.
  package func text(of color: ImageProcessor.Color) -> String {
    switch color {
    case .described(let description):
      // Before 13.2.0 all components of such a colour were read as zero.
      version.limitsColors ? description : "#00000000"
    case .rgba(let red, let green, let blue, let alpha):
      "#" + ([red, green, blue] + (alpha < 1 ? [alpha] : [])).map(digits).joined()
    }
  }

  /// Two upper-case hexadecimal digits; before 13.2.0 more, where the component lies outside 0...1: a
  /// negative one prints all 64 bits.
  private func digits(of component: Double) -> String {
    let value = Float(version.limitsColors ? min(max(component, 0), 1) : component)
    let byte = Self.byte(value) ?? 0
    let text = String(UInt64(bitPattern: Int64(byte)), radix: 16, uppercase: true)
    return text.count < 2 ? "0" + text : text
  }

  /// Rounded half away from zero in Float, as Nuke does it; nil where that is no whole number.
  package static func byte(_ component: Float) -> Int? {
    Int(exactly: (component * 255).rounded(.toNearestOrAwayFromZero))
  }
}
