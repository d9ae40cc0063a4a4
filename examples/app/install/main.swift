// Installs a bundle into a client's folder as an app would, and says what it did.
//
//     swift run install-bundle catalog.zip Caches/com.example.catalog

import CacheBundleInstaller
import Foundation

guard CommandLine.arguments.count == 3 else {
  print("usage: install-bundle BUNDLE FOLDER")
  exit(2)
}
let bundle = URL(fileURLWithPath: CommandLine.arguments[1])
let folder = URL(fileURLWithPath: CommandLine.arguments[2], isDirectory: true)

do throws(BundleFailure) {
  let report = try BundleInstaller(folder: folder).install(bundle)
  if report.wasInstalled {
    print("installed before: \(report.id)")
  } else {
    print("written \(report.written), present \(report.present), kept \(report.kept), ", terminator: "")
    print("expired \(report.expired), removed \(report.removed): \(report.id)")
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
