import Foundation
import TestSupport

/// Bundles on their way to a device, and what is there then.
enum Device {
  /// Runs `install-bundle`, the example of an app.
  ///
  /// - Parameter killAfter: microseconds until it is killed.
  /// - Returns: its status, 137 if it was killed.
  @discardableResult
  static func install(
    _ bundle: URL, into folder: URL, wrapper: [String] = [], killAfter: UInt32? = nil
  ) throws -> Int32 {
    let process = Process()
    process.executableURL = wrapper.isEmpty ? BuiltCommand.installer : URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      wrapper + (wrapper.isEmpty ? [] : [BuiltCommand.installer.path]) + [bundle.path, folder.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    if let killAfter {
      usleep(killAfter)
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
  }

  struct File: Hashable {
    var bytes: Data
    var modified: Date?
  }

  /// All files below a folder, hidden ones too, with their dates if wanted.
  static func files(_ folder: URL, dates: Bool = false) throws -> [String: File] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    var files: [String: File] = [:]
    for name in names {
      let url = folder.appendingPathComponent(name)
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      files[name] = File(
        bytes: try Data(contentsOf: url), modified: dates ? attributes[.modificationDate] as? Date : nil)
    }
    return files
  }
}
