import Settings

extension JobKey {
  package static let skipInvalid = SettingKey("skip-invalid", default: false)
  package static let partial = SettingKey("partial", default: false)
}

extension JobRows {
  /// What becomes of a job that is not all that it should be.
  static let losses: [Setting] = [
    Setting(
      JobKey.skipInvalid, .flag, in: .all, .job, "leave wrong lines out and go on", example: "skip-invalid on"
    ).with {
      $0.isCommon = true
      $0.detail = """
        A line that names its source wrongly, in the job or in a list that it includes, counts as one failed rendition \
        instead of stopping the run. Wrong settings and two lines for one key still stop it. A cache is not pruned by a \
        job of which lines were left out.
        """
      $0.changes = .lines
      $0.defaultText = "off"
    },
    Setting(
      JobKey.partial, .flag, in: .job, .job, "the cache holds more than this job names", example: "partial on"
    ).with {
      $0.detail = """
        A run never prunes the cache of such a job, whatever else is said. The jobs that --failures writes have it.
        """
      $0.defaultText = "off"
    },
  ]
}
