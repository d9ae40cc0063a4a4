/// Sentences that more than one form of help has.
enum Wording {
  package static let about = "Warms the caches of image libraries before anyone opens the app."

  package static let environment = """
    Options win over variables, variables over the job, the job over the defaults. An empty variable counts as \
    absent. On/off options read 1, true, yes or on and 0, false, no or off.
    """

  static let otherVariables = [
    ("NO_COLOR", "no colours"), ("CI", "no progress line"), ("COLUMNS", "width of the progress line"),
    ("TERM", "'dumb' means no colours and no progress line"),
  ]

  static let repetition = """
    Options may stand before or after the command and its arguments; -- ends them. A value follows after a space or \
    =; a value that begins with a dash needs the =. If an option is repeated, the last value wins, unless the option \
    is marked repeatable.
    """
}
