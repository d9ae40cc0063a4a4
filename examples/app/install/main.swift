// Installs a bundle into a client's folder as an app would, and says what it did.
//
//     swift run install-bundle catalog.zip Caches/com.example.catalog
//     swift run install-bundle catalog.zip Caches/com.example.catalog --public-key catalog.pub.pem

import CacheBundleInstaller
import Foundation

var words = Array(CommandLine.arguments.dropFirst())
var keyFiles: [String] = []
while let option = words.firstIndex(of: "--public-key"), option + 1 < words.count {
  keyFiles.append(words[option + 1])
  words.removeSubrange(option...(option + 1))
}
guard words.count == 2 else {
  print("usage: install-bundle BUNDLE FOLDER [--public-key PEM]...")
  exit(2)
}

/// Writes a message where errors go, and ends.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(1)
}

var publicKeys: [BundlePublicKey] = []
for file in keyFiles {
  guard let pem = try? String(contentsOfFile: file, encoding: .utf8) else { fail("\(file) cannot be read") }
  do throws(BundleFailure) { publicKeys.append(try BundlePublicKey(pem: pem)) } catch {
    fail("\(file): \(error)")
  }
}
var installer = BundleInstaller(
  folder: URL(fileURLWithPath: words[1], isDirectory: true), publicKeys: keyFiles.isEmpty ? nil : publicKeys)
// Somebody who tries a bundle wants to know whether it is right, not only whether it is there.
installer.provesAgain = !keyFiles.isEmpty

do throws(BundleFailure) {
  let report = try installer.install(URL(fileURLWithPath: words[0]))
  if report.wasInstalled {
    print("installed before: \(report.id)")
  } else {
    print("written \(report.written), present \(report.present), kept \(report.kept), ", terminator: "")
    print("expired \(report.expired), removed \(report.removed): \(report.id)")
  }
  if !report.signedBy.isEmpty { print("signed by \(report.signedBy.joined(separator: ", "))") }
} catch {
  fail("\(error)")
}
