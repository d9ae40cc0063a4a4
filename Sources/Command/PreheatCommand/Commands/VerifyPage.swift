import CacheTools
import Syntax
import Text

/// The result of a verification, for people and programs.
struct VerifyPage {
  var report: VerifyReport
  /// How many damaged files were removed.
  var removed: Int

  /// Damage with its advice; other findings are counted, and listed with `--verbose`.
  func text(_ verbosity: Verbosity) -> String {
    // A cache that came without its dates would fill the screen.
    let counts = report.findings.reduce(into: [:]) { $0[$1.code, default: 0] += 1 }
    let shown = report.findings.filter {
      verbosity == .verbose || $0.isDamage || counts[$0.code, default: 0] <= 10
    }
    var text = groups(shown).map(lines).joined()
    text += "\(SafeText.escape(report.path)): \(NumberText.count(report.files, "file")), "
    text += "\(ByteCountText.text(report.bytes)), \(report.decoded) decoded, \(report.digested) compared\n"
    if let signature = report.signature { text += line(signature) }
    let notes = report.findings.count { !$0.isDamage }
    let files = report.damagedFiles.count
    // Of a bundle or a ledger the finding itself is above.
    text +=
      files > 0 ? "\(NumberText.count(files, "file")) damaged" : report.isDamaged ? "damaged" : "no damage"
    text += notes > 0 ? ", \(NumberText.count(notes, "note"))" : ""
    if notes > shown.count(where: { !$0.isDamage }) { text += " (--verbose lists them)" }
    text += "\n"
    if removed > 0 { text += "\(NumberText.count(removed, "file")) removed; the next run makes them again\n" }
    return text
  }

  private func line(_ signature: VerifyReport.Signature) -> String {
    let counter = "counter \(signature.counter)"
    guard let checked = signature.checked else {
      let keys = signature.signers.joined(separator: ", ")
      return "signed by \(keys), \(counter); not checked (--public-key checks it)\n"
    }
    return "signature of \(checked.joined(separator: ", ")) checked, \(counter)\n"
  }

  /// Findings about one file are next to each other.
  private func groups(_ findings: [Finding]) -> [[Finding]] {
    findings.reduce(into: []) { groups, finding in
      if finding.file != nil, groups.last?.last?.file == finding.file {
        groups[groups.count - 1].append(finding)
      } else {
        groups.append([finding])
      }
    }
  }

  private func lines(_ group: [Finding]) -> String {
    var text = group.first?.file.map { SafeText.escape($0) + "\n" } ?? ""
    for finding in group {
      text += "  \(finding.isDamage ? "damaged" : "note   ")  "
      text += "\(SafeText.escape(finding.message, limit: 500)) (\(finding.code.rawValue))\n"
    }
    if let key = group.first?.key {
      text += "  key      \(RenditionText.key(key, source: group.first?.source))\n"
    }
    // The worst decides what is to be done.
    guard let advice = (group.first(where: \.isDamage) ?? group.first)?.advice else { return text }
    return text + "  advice   \(advice)\n"
  }

  var lines: String { report.findings.map { $0.jsonLine }.joined() + jsonLine }
}

extension VerifyPage: JSONRecord {
  static let json = JSONMembers<Self>(
    type: "verify", ("cache", \.report.path), ("client", \.report.client?.description),
    ("rules?", \.report.client?.rules?.description),
    ("files", \.report.files), ("bytes", \.report.bytes), ("decoded", \.report.decoded),
    ("digested", \.report.digested), ("damaged", \.report.damagedFiles.count),
    ("findings", \.report.findings.count), ("repaired", \.removed),
    ("signers", \.signers), ("counter", \.report.signature?.counter), ("signedBy", \.signedBy))

  private var signers: [String] { report.signature?.signers ?? [] }
  private var signedBy: [String] { report.signature?.checked ?? [] }
}
