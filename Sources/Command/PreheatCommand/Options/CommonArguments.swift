/// The options of every command.
struct CommonArguments: Sendable, Hashable {
  var verbosity: Verbosity
  /// Results as one JSON object a line.
  var json: Bool
  var progress: ProgressStyle

  init(_ values: OptionValues) throws(UsageError) {
    json = values[CommandKey.json]
    progress = values[CommandKey.progress]
    let quiet = values[CommandKey.quiet]
    let verbose = values[CommandKey.verbose]
    guard quiet, verbose else {
      verbosity = quiet ? .quiet : verbose ? .verbose : .normal
      return
    }
    // A variable set for all runs must not stand in the way of what is typed for this one.
    guard values.origins["quiet"] != values.origins["verbose"] else {
      throw UsageError(.conflict, "--quiet and --verbose exclude each other")
    }
    verbosity = values.origins["quiet"] == .typed ? .quiet : .verbose
  }
}

/// How much is said on standard error.
enum Verbosity: Sendable, Comparable {
  /// Errors only.
  case quiet
  case normal
  case verbose
}
