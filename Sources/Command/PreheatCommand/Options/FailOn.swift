import Syntax
import Text

/// Which failed renditions make a run fail (`--fail-on`).
enum FailOn: Sendable, Hashable {
  case none, any, all
  /// This number of them or more.
  case count(Int)
  /// This part of the renditions that are to be stored, or more; above 0, at most 100.
  case percent(Double)

  /// The exit code of a run that went through its whole plan.
  ///
  /// - Parameters:
  ///   - total: renditions of the plan that are to be stored, and lines that were left out.
  ///   - failed: those of them that failed.
  ///   - retryable: those failed ones that may succeed when tried again.
  func exitCode(total: Int, failed: Int, retryable: Int) -> ExitCode {
    guard failed > 0, isReached(total: total, failed: failed) else { return .success }
    // The most useful code comes first: trying again helps, whatever the number of failures.
    if retryable >= failed { return .retryable }
    return failed >= total ? .noneSucceeded : .someFailed
  }

  private func isReached(total: Int, failed: Int) -> Bool {
    switch self {
    case .none: false
    case .any: true
    case .all: failed >= total
    case .count(let count): failed >= count
    case .percent(let percent): Double(failed) * 100 >= percent * Double(total)
    }
  }
}

extension FailOn {
  static let words: [(word: String, value: FailOn)] = [("none", .none), ("any", .any), ("all", .all)]

  /// `none`, `any`, `all`, `20`, `1%`, `0.5%`.
  init?(_ text: String) {
    if let known = Self.words.first(where: { $0.word == text }) {
      self = known.value
    } else if text.hasSuffix("%") {
      guard let percent = DecimalText.double(String(text.dropLast())), percent > 0, percent <= 100 else {
        return nil
      }
      self = .percent(percent)
    } else {
      guard text.utf8.allSatisfy(\.isDigit), let count = Int(text), count > 0 else {
        return nil
      }
      self = .count(count)
    }
  }
}

extension SettingType where Value == FailOn {
  static var failOn: Self {
    Self("WHEN", .choices(FailOn.words.map(\.word))) { word, _, start throws(Mistake) in
      if let value = FailOn(word) { return value }
      throw Mistake(
        start, "\(Mistake.quote(word)) is not a value of --fail-on",
        help: "write none, any, all, a number such as 20, or a share such as 1%")
    }
  }
}

extension CommandRows {
  static let failOn = Setting(
    SettingKey("fail-on", default: FailOn.any), .failOn, in: .command, .output,
    "which failures fail the run: none, any, all, 20 or 1%",
    detail: """
      none: the run never fails because of failed renditions. any: one failed rendition is enough. all: only if all \
      fail. A number (20) or a share (1%): at least that many of the renditions to be stored. A line that \
      --skip-invalid leaves out counts as one failed rendition. Warnings do not count. Failures are always listed, \
      also if the exit code is 0.
      """
  ).with { $0.defaultText = "any" }.common
}
