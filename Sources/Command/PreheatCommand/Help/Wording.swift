/// Sentences that more than one form of help has.
enum Wording {
  package static let about = "Warms the caches of image libraries before anyone opens the app."

  package static let environment = """
    What is typed holds over the environment, the environment over the job, the job over the defaults. \
    An empty variable counts as absent. Flags are set by 1, true, yes or on and unset by 0, false, no or off.
    """

  static let otherVariables = [
    ("NO_COLOR", "no colours"), ("CI", "no progress line"), ("COLUMNS", "width of the progress line"),
    ("TERM", "'dumb' means no colours and no progress line"),
  ]

  static let repetition = """
    Options may stand before or after the command and its arguments; -- ends them. Values follow after \
    a space or =; a value that begins with a dash needs the =. Of an option that is given twice the last \
    holds, unless it is repeatable.
    """
}
