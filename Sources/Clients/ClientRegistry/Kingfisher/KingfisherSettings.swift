import ClientKit
import KingfisherCache
import Syntax
import Text

/// What a Kingfisher job says about names and dates beside the client's version.
package enum KingfisherSettings {
  package static let style = SettingKey("style", default: KingfisherKeyFormat.Style.options)
  package static let pathExtension = SettingKey("path-extension", default: String?.none)
  package static let autoExtension = SettingKey("auto-extension", default: false)
  package static let forcedExtension = SettingKey("forced-extension", default: String?.none)
  static let hashedNames = SettingKey("hashed-names", default: true)
  static let originalData = SettingKey("original-data", default: false)
  /// For job lines that do not say it themselves.
  package static let expires = SettingKey("expires", default: EntryExpiry.never)

  static func naming(_ values: SettingValues) -> FileNaming {
    var naming = FileNaming.usual
    (naming.pathExtension, naming.forcedExtension) = (values[pathExtension], values[forcedExtension])
    (naming.autoExtension, naming.isHashed) = (values[autoExtension], values[hashedNames])
    return naming
  }

  static let rows = [
    Setting(
      style, .choices("NAME", of: "style"), in: .ofRequests, .job,
      "how a Kingfisher app hands over processors"
    )
    .with {
      $0.example = "style builder"
      $0.detail = """
        options: .processor(...) and setProcessor; builder: the modifiers of KF and KFImage, whose \
        identifiers begin with |>.
        """
      $0.defaultText = "options"
    },
    Setting(
      pathExtension, extensionType, in: .all, .job, "Kingfisher's DiskStorage.Config.pathExtension",
      example: "path-extension jpg"),
    Setting(
      autoExtension, .flag, in: .all, .job, "Kingfisher's autoExtAfterHashedFileName",
      example: "auto-extension on"),
    Setting(
      forcedExtension, extensionType, in: .ofRequests, .job, "Kingfisher's forcedCacheFileExtension",
      example: "forced-extension heic"),
    Setting(
      hashedNames, .flag, in: .all, .job, "Kingfisher's usesHashedFileName", example: "hashed-names off",
      detail: "Off: the key itself is the file's name, which only works for an id without a slash."
    ).with(usual: "on"),
    Setting(
      originalData, .flag, in: .ofRequests, .job, "Kingfisher's preferCacheOriginalData",
      example: "original-data on",
      detail: """
        On: from 7.4.1 an entry holds the source's own bytes whatever its chain, since the app runs its processor on \
        every hit.
        """
    ),
    Setting(expires, .expiry, in: .all, .job, "when Kingfisher's entries expire", example: "expires 30d").with
    {
      $0.detail =
        "7d, 12h, 30m, 90s, never, a day such as 2027-01-31, or a moment such as 2027-01-31T08:00:00Z."
      $0.defaultText = "never"
    },
  ]

  private static let extensionType = SettingType<String?>("EXT") { scanner, _ throws(Mistake) in
    try fileExtension(&scanner)
  }

  /// An extension as the app sets it; a dot in front of it would be a second one in the name.
  private static func fileExtension(_ scanner: inout LineScanner) throws(Mistake) -> String {
    let start = scanner.position
    let text = try scanner.wordOrQuoted()
    // A slash at its end is lost where the name becomes a path.
    let held = text.utf8.dropLast(text.hasSuffix("/") ? 1 : 0)
    if held.isEmpty { throw Mistake(start, "the extension is empty", help: "take it out, or: jpg") }
    if held.contains(UInt8(ascii: "/")) {
      throw Mistake(
        start, "an extension with a slash names a sub-folder, and Kingfisher makes none",
        help: "an extension alone, like jpg")
    }
    return text
  }
}

extension KingfisherClient {
  /// What the job's release of Kingfisher does not have.
  package func faults(scales: [Double]) -> [SettingFault] {
    let (version, naming) = (format.version, format.naming)
    let settings: [(isMissing: Bool, name: String, reason: String)] = [
      (
        keepsOriginalData && !version.keepsOriginalData, KingfisherSettings.originalData.name,
        "no preferCacheOriginalData; it came with 5.13.0"
      ),
      (
        format.style == .builder && !version.hasBuilders, KingfisherSettings.style.name,
        "no KF builder; it came with 6.0.0, so use the style options"
      ),
      (
        naming.autoExtension && !version.hasAutoExtension, KingfisherSettings.autoExtension.name,
        "no automatic extension (autoExtAfterHashedFileName); it came with 6.3.0"
      ),
      (
        !naming.isHashed && !version.hasPlainNames, KingfisherSettings.hashedNames.name,
        "only hashed names (usesHashedFileName); it can be set since 5.3.0"
      ),
      (
        naming.forcedExtension != nil && !version.hasForcedExtension, KingfisherSettings.forcedExtension.name,
        "no forced extension (forcedCacheFileExtension); it came with 8.1.0"
      ),
    ]
    return severalScales(scales, "Kingfisher")
      + settings.filter(\.isMissing).map { ($0.name, Mistake(0, "Kingfisher \(version) has \($0.reason)")) }
  }
}

/// What a job cannot know of the app, and what differs by it.
extension KingfisherClient {
  /// The other style and what it adds to a key, where that is something else.
  ///
  /// - Parameter own: what the chain adds by the job's own style.
  func otherStyle(
    of calls: [ProcessorCall], own: String
  ) -> (style: KingfisherKeyFormat.Style, suffix: String)? {
    var other = format
    other.style = format.style == .options ? .builder : .options
    guard other.style == .options || other.version.hasBuilders, other.unsupportedReason(calls) == nil else {
      return nil
    }
    let suffix = other.computedKey(baseKey: "", identifier: other.identifier(of: calls))
    return suffix == own ? nil : (other.style, suffix)
  }

  package func lint(_ subject: LintSubject, at offset: Int) -> Mistake? {
    switch subject {
    case .chain(let chain): lint(ofStyle: chain.calls, at: offset)
    case .folder(let path): lint(ofFolder: path, at: offset)
    case .key(let key):
      KingfisherKeyFormat.isLocal(key) ? Mistake(offset, "this is a path of this machine") : nil
    case .source, .originalsAlone: nil
    }
  }

  private func lint(ofStyle calls: [ProcessorCall], at offset: Int) -> Mistake? {
    let own = suffix(of: calls).text
    guard !knowsStyle, let other = otherStyle(of: calls, own: own) else { return nil }
    return Mistake(
      offset,
      "the key ends with \(Mistake.quote(own)), as for .processor(...); with the modifiers of KF and KFImage the app "
        + "looks for \(Mistake.quote(other.suffix))",
      help: "say which it is: style options, or style builder", isVital: true)
  }

  private func lint(ofFolder path: String, at offset: Int) -> Mistake? {
    let name = PathText.name(of: path) ?? ""
    let prefix = DiskStorage.Config.folderNamePrefix
    // Other names are those of a build machine; the installation gives the cache the app's.
    guard name.lowercased().hasPrefix("com.onevcat.kingfisher"), !name.hasPrefix(prefix) || name == prefix
    else { return nil }
    return Mistake(
      offset,
      "no ImageCache looks into a folder of this name; it would be \(prefix)default, or the cache's own name "
        + "in place of default")
  }
}
