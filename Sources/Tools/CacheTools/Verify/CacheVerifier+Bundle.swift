import CacheBundleInstaller
import ClientKit
import ClientRegistry
import Foundation

extension CacheVerifier {
  /// Checks a bundle of any form: index, names, digests, and that every picture is one.
  func verifyBundle(_ path: String, _ check: EntryCheck) async -> VerifyReport {
    var report = VerifyReport(path: path, client: nil)
    do throws(BundleFailure) {
      let keys = publicKeys
      let bundle = try CacheBundle(at: URL(fileURLWithPath: path))
      let (index, proof) = try bundle.checked(by: BundleTrust(keys.isEmpty ? nil : keys))
      if let signers = index.signers, let counter = index.counter {
        report.signature = .init(signers: signers, counter: counter, checked: proof?.keys)
      }
      report.client = ClientRegistry.client("\(index.client) \(index.clientVersion)")
      report.findings += facts(index, client: report.client)
      for entry in index.entries where entry.isIncluded {
        do throws(BundleFailure) {
          let data = try bundle.data(for: entry)
          let subject = EntryCheck.Subject(
            file: entry.file, key: entry.key, source: entry.source, digest: entry.sha256, size: data.count)
          report.add(await check.check(subject, [UInt8](data)))
        } catch {
          report.findings.append(finding(error, entry))
        }
      }
    } catch {
      let codes: [BundleFailure.Code: Finding.Code] = [
        .signature: .signature, .unreadable: .unreadable,
      ]
      report.findings.append(Finding(code: codes[error.code] ?? .bundle, message: error.message))
    }
    report.sort()
    return report
  }

  private func facts(_ index: BundleIndex, client: CacheClient?) -> [Finding] {
    guard let client = client.flatMap({ ClientRegistry.make($0) }) else {
      return [
        Finding(code: .bundle, message: "\(index.client) \(index.clientVersion) is not a known client")
      ]
    }
    return index.entries.compactMap { entry in
      guard let key = entry.key, !client.isName(entry.file, ofKey: key) else { return nil }
      return Finding(
        code: .name, file: entry.file, key: key, source: entry.source,
        message: "\(client.identity) looks for the key of this entry under another name")
    }
  }

  private func finding(_ failure: BundleFailure, _ entry: BundleIndex.Entry) -> Finding {
    let codes: [BundleFailure.Code: Finding.Code] = [
      .digest: .digest, .notFound: .missing, .unreadable: .unreadable,
    ]
    return Finding(
      code: codes[failure.code] ?? .bundle, file: entry.file, key: entry.key, source: entry.source,
      message: failure.message)
  }
}
