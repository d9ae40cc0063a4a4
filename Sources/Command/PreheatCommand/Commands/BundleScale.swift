import Bundles
import CacheBundleInstaller
import FileStore
import Planning
import Syntax
import Text

/// Which screens a bundle is for. Entries whose key knows no scale are in each.
enum BundleScale: Hashable, Sendable {
  case one(Double)
  /// A bundle for each scale of the job, and a list that says which is which.
  case each

  static let type = SettingType<BundleScale?>("N|each", .text) { word, setting, start throws(Mistake) in
    if word == "each" { return .each }
    if let scale = DecimalText.double(word), scale > 0 { return .one(scale) }
    throw Mistake(
      start, "\(setting) is a scale of the job or 'each', not \(Mistake.quote(word))", help: "3, or each")
  }

  /// The scales to make bundles for.
  func scales(of plan: Plan?) throws(UsageError) -> [Double] {
    guard let plan else {
      throw UsageError(.conflict, "--for-scale needs --job, which says what is for which scale")
    }
    let known = plan.settings.scales
    guard case .one(let scale) = self else { return known }
    if known.contains(scale) { return [scale] }
    let names = known.map { NumberText.plain($0) }.joined(separator: " and ")
    throw UsageError(.invalidValue, "--for-scale \(NumberText.plain(scale)): the job has \(names)")
  }

  /// The options of the bundle for a scale.
  func options(_ options: BundleOptions, for scale: Double) -> BundleOptions {
    var part = options
    part.entries = options.entries?.filter { $0.value.scale == nil || $0.value.scale == scale }
    guard self == .each else { return part }
    let (stem, ending) = Self.split(options)
    part.output = "\(stem)-\(NumberText.plain(scale))x\(ending)"
    return part
  }

  /// The list is nothing that was named, so it replaces only another such list.
  func checkList(_ options: BundleOptions) throws(UsageError) {
    let path = Self.split(options).stem + ".json"
    let check = OutputCheck(option: "--for-scale each", place: path, mark: BundleScales.name)
    if self != .each || check.isOurs { return }
    throw UsageError(
      .conflict, "--for-scale each writes its list into \(path), which exists and is another file",
      suggestion: "name another bundle with -o, or move that file")
  }

  /// The list beside the bundles.
  func writeList(of made: [(scale: Double, report: BundleReport)], _ options: BundleOptions) throws {
    guard self == .each else { return }
    let parts = made.map { scale, report in
      BundleScales.Part(
        scale: scale, file: PathText.name(of: report.output) ?? "", id: report.id, bytes: report.bytes)
    }
    try OutputFile.write(BundleScales(parts).encoded(), to: Self.split(options).stem + ".json")
  }

  private static func split(_ options: BundleOptions) -> (stem: String, ending: String) {
    let path = options.output.hasSuffix("/") ? String(options.output.dropLast()) : options.output
    guard options.format == .zip, path.lowercased().hasSuffix(".zip") else { return (path, "") }
    return (String(path.dropLast(4)), String(path.suffix(4)))
  }
}
