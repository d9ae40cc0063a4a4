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
    ("JOURNAL_STREAM", "set by systemd: messages begin with their priority, see --log-format"),
    ("SOURCE_DATE_EPOCH", "the moment in place of now, in seconds since 1970: for expiry, dates and bundles"),
    ("PREHEAT_RENDER", "path of preheat-render, where it is not beside preheat"),
    ("http_proxy", "proxy for http URLs, as curl reads it"),
    ("https_proxy", "proxy for https URLs; HTTPS_PROXY too"),
    ("all_proxy", "proxy for both; ALL_PROXY too"),
    ("no_proxy", "hosts that are reached without a proxy; NO_PROXY too"),
    (
      "AWS_ACCESS_KEY_ID",
      "with AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN: signs requests to the hosts of aws-sigv4"
    ),
    ("SSL_CERT_FILE", "certificates that doctor looks for; CURL_CA_BUNDLE too"),
    ("GITHUB_ACTIONS", "'true' turns --annotations on"),
    ("GITHUB_STEP_SUMMARY", "file that the summary of a run is added to, with --annotations"),
    ("GITHUB_WORKSPACE", "folder that the paths in annotations are relative to"),
    (
      "GITHUB_SHA",
      "the commit that a report names; CI_COMMIT_SHA and BUILDKITE_COMMIT too. Its link is made of GITHUB_SERVER_URL, "
        + "GITHUB_REPOSITORY and GITHUB_RUN_ID, or is CI_JOB_URL, CI_PIPELINE_URL or BUILDKITE_BUILD_URL"
    ),
    (
      "GITHUB_EVENT_NAME",
      "in the build of a pull request a job may name no variable unless --env does; CI_MERGE_REQUEST_IID and those of other CI systems too"
    ),
  ]

  static let repetition = """
    Options may stand before or after the command and its arguments; -- ends them. A value follows after a space or \
    =; a value that begins with a dash needs the =. If an option is repeated, the last value wins, unless the option \
    is marked repeatable.
    """
}
