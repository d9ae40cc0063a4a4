import JobFile
import Syntax
import Text

/// Which jobs, and what holds over their own settings.
struct JobArguments: Sendable {
  /// Paths as typed; `-` is standard input.
  var jobs: [String]
  /// Settings that win over the jobs' own.
  var given: GivenSettings
  /// Which part of them is taken; nil for all.
  var shard: ShardChoice?

  /// - Throws: when standard input is named twice, or a trusted folder is not a folder.
  init(_ values: OptionValues) throws(UsageError) {
    jobs = values.words
    given = try values.given()
    shard = values[CommandKey.shard]
    guard jobs.count(where: { $0 == "-" }) <= 1 else {
      throw UsageError(.conflict, "standard input (-) can be read only once")
    }
  }

  /// Settings that win over the jobs' own, including the part to take.
  func sharded() throws(UsageError) -> GivenSettings {
    var all = given
    all.shard = try shard?.shard(in: given.environment)
    return all
  }
}

extension JobTrust {
  init(_ values: OptionValues) throws(UsageError) {
    let paths = values[CommandKey.trustedRoot]
    do throws(SystemCall.Failure) {
      self.init(
        roots: paths.isEmpty ? nil : try TrustedRoots(paths), variables: values[CommandKey.env])
    } catch {
      throw UsageError(
        .invalidValue, "--trusted-root: \(error.message)", suggestion: "name an existing folder")
    }
  }
}

extension CommandRows {
  /// The limits for jobs from others: options of every command that reads jobs.
  static let trust: [Setting] = [
    Setting(
      list: CommandKey.trustedRoot, .path("DIR", .folder), in: .command, .job,
      "read files in this folder only (repeatable)", example: "trusted-root .",
      detail: """
        Use it for jobs that you do not trust. The job, its include lists, its file: sources, the app's lock file and its \
        cache line must be in this folder after links are resolved. The variable contains one folder a line.
        """
    ).with { $0.defaultText = "any folder" },
    Setting(
      list: CommandKey.env,
      SettingType("NAME") { name, _, start throws(Mistake) in
        let isName = name.utf8.allSatisfy {
          $0.isLetterOrDigit || $0 == UInt8(ascii: "_")
        }
        if isName, let first = name.utf8.first, !first.isDigit { return name }
        throw Mistake(
          start, "\(Mistake.quote(name)) is not the name of an environment variable",
          help: "--env CATALOG_TOKEN")
      }, in: .command, .job, "environment variable that jobs may use (repeatable)",
      example: "env CATALOG_TOKEN",
      detail: """
        All other variables are then refused in ${NAME} of a header line and for aws-sigv4. The variable contains names \
        separated by spaces.
        """
    ).with {
      $0.repetition = .words
      $0.defaultText = "every variable; none in a CI build of a pull request"
    },
  ]
}
