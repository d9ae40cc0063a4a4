/// A limit on one of the sizes of this package.
///
/// The sums of lines never rise: a feature says in its commit what it takes away. A room's limit rises, and a room is
/// added, only in a commit in which others fall by as much. Other limits that are more than 1 % above their numbers fail
/// too: they would let the next change grow without a reason.
public struct SizeLimit: Sendable {
  public static let swiftLines = SizeLimit(53_500, "lines of Swift in Sources", isSum: true)
  public static let cLines = SizeLimit(7_600, "lines of C in Sources", isSum: true)
  public static let scriptLines = SizeLimit(5_600, "lines in scripts", isSum: true)
  public static let pageLines = SizeLimit(5_300, "lines on the pages of docs", isSum: true)
  public static let commands = SizeLimit(16, "commands")
  public static let options = SizeLimit(100, "options of all commands")
  public static let runOptions = SizeLimit(63, "options of run")
  public static let clientRequirements = SizeLimit(26, "requirements of a client")
  public static let publicTypes = SizeLimit(107, "public types in products")
  public static let otherPublicTypes = SizeLimit(7, "public types outside of products")
  public static let longParameterLists = SizeLimit(2, "functions with more than 7 parameters")

  /// Lines of Swift in each folder of the second level of Sources. It may have 5 % more.
  public static let rooms: [String: Int] = [
    "App/CacheBundleInstaller": 1925,
    "Clients/ClientKit": 1780,
    "Clients/ClientRegistry": 2545,
    "Clients/KingfisherCache": 1569,
    "Clients/NukeCache": 1219,
    "Clients/SDWebImageCache": 541,
    "Command/PreheatCommand": 6014,
    "Command/preheat": 16,
    "Command/preheat-render": 7,
    "Engine/CacheStore": 1325,
    "Engine/Feeds": 890,
    "Engine/Fetching": 4855,
    "Engine/ImageProcessing": 3084,
    "Engine/JobFile": 4252,
    "Engine/Planning": 2020,
    "Engine/Rendering": 1530,
    "Engine/Running": 1477,
    "Library/ImagePipeline": 1026,
    "Library/Preheat": 7,
    "Support/Bodies": 195,
    "Support/Concurrency": 263,
    "Support/Digests": 329,
    "Support/FileStore": 1208,
    "Support/Pictures": 3226,
    "Support/SQLiteStore": 539,
    "Support/Signposts": 1083,
    "Support/Syntax": 1871,
    "Support/Text": 2264,
    "Tools/Bundles": 1017,
    "Tools/CacheTools": 2391,
    "Tools/Reporting": 1573,
    "Tools/Sessions": 1407,
  ]

  private let limit: Int
  private let name: String
  private let isSum: Bool

  private init(_ limit: Int, _ name: String, isSum: Bool = false) {
    self.limit = limit
    self.name = name
    self.isSum = isSum
  }

  /// What to do where the number does not go with the limit; nil where it does.
  public func fault(of number: Int) -> String? {
    if number > limit { return "\(number) \(name), the limit is \(limit): take something away" }
    if !isSum, (limit - number) * 100 > number { return "\(number) \(name), the limit is \(limit): lower it" }
    return nil
  }
}
