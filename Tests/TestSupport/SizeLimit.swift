/// A limit on one of the sizes of this package.
///
/// A limit rises in a commit of its own, which says what users get for it. One that is more than 1 % above its number
/// fails too: it would let the next change grow without a reason.
public struct SizeLimit: Sendable {
  public static let swiftLines = SizeLimit(62_020, "lines of Swift in Sources")
  public static let cLines = SizeLimit(8_960, "lines of C in Sources")
  public static let scriptLines = SizeLimit(6_260, "lines in scripts")
  public static let pageLines = SizeLimit(5_370, "lines on the pages of docs")
  public static let commands = SizeLimit(16, "commands")
  public static let options = SizeLimit(113, "options of all commands")
  public static let runOptions = SizeLimit(73, "options of run")
  public static let clientRequirements = SizeLimit(26, "requirements of a client")
  public static let publicTypes = SizeLimit(169, "public types in products")
  public static let otherPublicTypes = SizeLimit(6, "public types outside of products")
  public static let longParameterLists = SizeLimit(3, "functions with more than 7 parameters")

  private let limit: Int
  private let name: String

  private init(_ limit: Int, _ name: String) {
    self.limit = limit
    self.name = name
  }

  /// What to do where the number does not go with the limit; nil where it does.
  public func fault(of number: Int) -> String? {
    if number > limit { return "\(number) \(name), the limit is \(limit): take something away" }
    if (limit - number) * 100 > number { return "\(number) \(name), the limit is \(limit): lower it" }
    return nil
  }
}
