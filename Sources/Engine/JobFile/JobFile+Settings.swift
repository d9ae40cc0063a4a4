import Settings

extension JobFile {
  /// A job of settings alone: those of a command line, and lines that come before them. A job without a source is none,
  /// so it has one that nobody asks for.
  package init(
    settingsOnly lines: String = "", overrides: JobOverrides, environment: [String: String],
    table: SettingTable, trust: JobTrust
  ) {
    self.init(
      reading: .text(name: "(arguments)", bytes: Array("\(lines)https://example.com original\n".utf8)),
      overrides: overrides, environment: environment, table: table, trust: trust)
  }
}
