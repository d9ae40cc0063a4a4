/// What changed when, as far as it alters keys and names. Each was found by running Kingfisher's own code at its tags.
extension KingfisherVersion {
  /// Corner radii as fractions of a width or a height.
  var hasRadiusFractions: Bool { self >= KingfisherVersion(5, 14, 0) }
  /// `KF` and the modifiers of `KFImage`.
  var hasBuilders: Bool { self >= KingfisherVersion(6, 0, 0) }
  var hasAutoExtension: Bool { self >= KingfisherVersion(6, 3, 0) }
  var hasBorders: Bool { self >= KingfisherVersion(7, 0, 0) }
  /// Colours print as four decimal numbers instead of eight hexadecimal digits.
  var printsDecimalColors: Bool { self >= KingfisherVersion(7, 1, 0) }
  /// File URLs have keys that outlive a reinstallation: since 7.1.0, but for 7.2.0.
  var hasLocalFileKeys: Bool { self >= KingfisherVersion(7, 1, 0) && self != KingfisherVersion(7, 2, 0) }
  /// The automatic extension comes from what stands before the key's first `@`.
  var cutsAutoExtensionFirst: Bool { self >= KingfisherVersion(7, 12, 0) }
  /// Names are SHA-256 instead of MD5.
  var hashesWithSHA256: Bool { self >= KingfisherVersion(8, 0, 0) }
  var hasForcedExtension: Bool { self >= KingfisherVersion(8, 1, 0) }
  /// A border's identifier no longer has the name of the round corners.
  var namesBorders: Bool { self >= KingfisherVersion(8, 5, 0) }
  /// The probe that goes before reading a file knows the forced extension.
  var probesForcedExtension: Bool { self >= KingfisherVersion(8, 9, 0) }
  /// The automatic extension is short and alphanumeric, or there is none.
  var limitsAutoExtension: Bool { self >= KingfisherVersion(8, 11, 0) }
}
