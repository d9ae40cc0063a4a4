import Settings
import Text

/// A setting as a line of a job.
package struct SettingLine: Sendable, Hashable {
  /// The setting's name.
  package var row: String
  package var text: String
}

extension SettingLayers {
  /// What says where a job's own files and lines are, or what becomes of the rest of its cache: a job of a part of the
  /// lines says that anew.
  private static let ownLines: Set<String> = [
    JobRows.Structure.cache.rawValue, JobRows.Structure.include.rawValue, JobKey.prune.name,
    JobKey.skipInvalid.name, JobKey.partial.name,
  ]

  /// The settings that hold as lines of a job, flags and environment laid over the job's own lines: those stay as they
  /// are written, so that `${NAME}` does not become the secret that it stands for.
  func lines(_ pass: SettingsPass, client: String) -> [SettingLine] {
    var lines: [SettingLine] = []
    var replaced = Self.ownLines
    for row in table.jobRows where row.places.contains(.flag) && !Self.ownLines.contains(row.name) {
      // One command line may serve jobs of several clients.
      if let owner = row.owner, owner != client { continue }
      let outer = texts(row).map { String(decoding: $0.bytes, as: UTF8.self) }.filter { !$0.isEmpty }
      if outer.isEmpty { continue }
      if row.name == JobRows.Structure.default.rawValue {
        lines.append(SettingLine(row: row.name, text: "\(row.name) \(outer.joined(separator: " "))"))
        replaced.insert(row.name)
      } else if row.repetition == .single {
        lines.append(SettingLine(row: row.name, text: "\(row.name) \(outer.last ?? "")"))
        replaced.insert(row.name)
      } else {
        lines += outer.map { SettingLine(row: row.name, text: "\(row.name) \($0)") }
      }
    }
    return lines.filter { Self.isLine($0.text) } + pass.settingLines.filter { !replaced.contains($0.row) }
  }

  /// What a flag holds may have line ends, which no value of a setting has.
  private static func isLine(_ text: String) -> Bool { !text.utf8.contains { $0 < 0x20 && $0 != 9 } }
}
