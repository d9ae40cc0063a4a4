import Settings

extension JobKey {
  package static let skipInvalid = SettingKey("skip-invalid", default: false)
  package static let partial = SettingKey("partial", default: false)
}

extension JobRows {
  /// What becomes of a job that is not all that it should be.
  static let losses: [Setting] = [
    Setting(
      JobKey.skipInvalid, .flag, in: .all, .job, "skip wrong job lines instead of stopping",
      example: "skip-invalid on"
    ).with {
      $0.isCommon = true
      $0.detail = """
        A job line with a mistake, in the job or in an included list, counts as one failed rendition. Mistakes in settings \
        and two job lines with the same key still stop the run. A cache is not pruned if lines were skipped.
        """
      $0.changes = .lines
      $0.defaultText = "off"
    },
    Setting(
      JobKey.partial, .flag, in: .job, .job, "the job names only a part of the cache", example: "partial on"
    ).with {
      $0.detail = """
        A run never prunes the cache of such a job. --failures writes such jobs.
        """
      $0.defaultText = "off"
    },
  ]
}
