extension OptionTable {
  /// What a run leaves for people, for CI and for monitoring.
  static let reporting: [OptionSpec] = [
    OptionSpec("report", .folder("DIR"), "write the HTML page of the run into this folder").with {
      $0.detail = "index.html, and pictures beside it where they are many; docs/report.md describes it."
      $0.environment = "PREHEAT_REPORT"
    },
    OptionSpec("junit", .text("FILE"), "write the renditions as JUnit test cases").with {
      $0.environment = "PREHEAT_JUNIT"
    },
    OptionSpec("metrics", .text("FILE"), "write the counts in the text form of Prometheus").with {
      $0.detail = "Replaced in one step, as the node exporter's textfile collector wants it."
      $0.environment = "PREHEAT_METRICS"
    },
    OptionSpec("annotations", "mark errors on the job's lines in GitHub's pages").with {
      $0.detail = "Also writes the summary of the job, where GITHUB_STEP_SUMMARY names a file."
      $0.defaultText = "on where GITHUB_ACTIONS is true"
      $0.environment = "PREHEAT_ANNOTATIONS"
      $0.isNegatable = true
    },
  ]

  package static let report = CommandSpec("report", "the HTML page of a run").with {
    $0.detail = [
      "Every run leaves a record beside its cache. This makes the page of it: what failed, the pictures that "
        + "are in the cache, their sizes, and what was found in the job. How long each operation took is in it "
        + "where the run was told --report, --signposts or --trace.",
      "The page needs no network. It prints the path of the page.",
    ]
    $0.positionals = [.init("DIR", .file, 1...1, "a cache folder, or the record of a run")]
    $0.examples = [
      .init("preheat report out/catalog", "into preheat-report/index.html"),
      .init("preheat report out/catalog -o /srv/www/preheat", "elsewhere"),
    ]
    $0.options =
      [
        OptionSpec("output", short: "o", .text("PATH"), "the folder of the page").with {
          $0.defaultText = "preheat-report"
          $0.isCommon = true
        }
      ] + everywhere
  }
}
