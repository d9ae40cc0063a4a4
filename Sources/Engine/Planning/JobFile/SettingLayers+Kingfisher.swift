import KingfisherCache

extension SettingLayers {
  /// Flags that only one client's jobs have.
  private var owned: [(keyword: Keyword, flag: String?)] {
    [
      (.policy, overrides.policy), (.style, overrides.style), (.pathExtension, overrides.pathExtension),
      (.autoExtension, overrides.autoExtension), (.forcedExtension, overrides.forcedExtension),
      (.expires, overrides.expires),
    ]
  }

  package func kingfisher(_ pass: SettingsPass, _ diagnostics: inout Diagnostics) -> KingfisherSettings {
    var settings = pass.kingfisher
    for (keyword, flag) in owned where keyword.owner == "kingfisher" {
      let name = keyword.rawValue
      let said = read(flag, name, &diagnostics) { scanner throws(Mistake) -> KingfisherSettings in
        var said = settings
        try said.read(keyword, &scanner)
        return said
      }
      if let said { settings = said }
    }
    return settings
  }

  /// Reports what is set but belongs to the other client.
  func checkOwners(_ pass: SettingsPass, _ client: CacheClient, _ diagnostics: inout Diagnostics) {
    for (keyword, flag) in owned {
      guard let owner = keyword.owner, owner != client.name else { continue }
      let reason = "belongs to \(owner), and the client is \(client.name)"
      if let (place, line) = pass.ownedSettings[keyword] {
        diagnostics.add(
          .error, Mistake(place, "'\(keyword.rawValue)' \(reason)", help: "take it out"), in: line)
      }
      // One command line may serve jobs of both clients.
      if let flag {
        let line = TextLine(flag: "--\(keyword.rawValue)", text: flag)
        diagnostics.add(
          .warning, Mistake(0, "--\(keyword.rawValue) \(reason): it does nothing here"), in: line)
      }
    }
  }

  /// Reports what the job's version of Kingfisher does not have.
  package func check(
    _ settings: KingfisherSettings, scales: [Double], of version: KingfisherVersion, _ pass: SettingsPass,
    _ diagnostics: inout Diagnostics
  ) {
    if scales.count > 1 {
      report(
        "Kingfisher's keys do not hold the scale, so several would share one file",
        help: "scale 2; or a job and a cache folder for each scale", of: .scale, overrides.scale, pass,
        &diagnostics)
    }
    let naming = settings.naming
    let formats: [(Keyword, String?, KingfisherKeyFormat)] = [
      (.style, overrides.style, .init(version: version, style: settings.style)),
      (
        .autoExtension, overrides.autoExtension,
        .init(version: version, naming: FileNaming(autoExtension: naming.autoExtension))
      ),
      (
        .forcedExtension, overrides.forcedExtension,
        .init(version: version, naming: FileNaming(forcedExtension: naming.forcedExtension))
      ),
    ]
    for (keyword, flag, format) in formats {
      guard let reason = format.unsupportedReason(processors: []) else { continue }
      report(reason, of: keyword, flag, pass, &diagnostics)
    }
  }

  /// An error where a setting was said: at its flag, its variable, or its line.
  private func report(
    _ message: String, help: String? = nil, of keyword: Keyword, _ flag: String?, _ pass: SettingsPass,
    _ diagnostics: inout Diagnostics
  ) {
    if let line = text(flag, keyword.rawValue) {
      diagnostics.add(.error, Mistake(0, message, help: help), in: line)
    } else if let (place, line) = pass.ownedSettings[keyword] {
      diagnostics.add(.error, Mistake(place, message, help: help), in: line)
    }
  }
}
