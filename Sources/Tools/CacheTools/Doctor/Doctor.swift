import Fetching
import Foundation
import JobFile
import SQLiteStore
import Text

/// Looks at all that a run needs of its system. It writes nothing that stays.
package struct Doctor: Sendable {
  /// Where a cache is, or would be.
  package var folder: String
  package var environment: [String: String]
  /// The job whose release is compared with those of lock files beside it.
  package var job: JobSettings?

  package init(folder: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.folder = folder
    self.environment = environment
  }

  /// In a fixed order. Blocks: it starts a renderer and writes to the disk.
  package func examine() -> [Finding] {
    let libraries = [
      Finding("libcurl", HTTPLibrary.version), Finding("sqlite", SQLiteDatabase.libraryVersion),
    ]
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return [Finding("preheat", PreheatVersion.text)] + worker() + libraries + [
      certificates(), Finding("processors", "\(processors) (worker processes by default)"),
      memory(processors), openFiles(),
    ] + disk() + (job.map(releases) ?? [])
  }

  /// The release of a job's client, and one of a lock file beside the job that is another one.
  private func releases(_ job: JobSettings) -> [Finding] {
    let locked = job.lockedReleases
    let own = "\(job.client.release)"
    let same = locked.filter { $0.version == own }.map(\.file)
    var text = job.origin.note(job.client) ?? "\(job.client)"
    if !same.isEmpty { text += ", as in \(same.joined(separator: ", "))" }
    if locked.isEmpty, job.origin.file == nil { text += ", and no lock file beside the job names it" }
    return [Finding("release", text)]
      + locked.filter { $0.version != own }.map { other in
        guard let version = other.version else {
          return Finding("release", other.fault ?? other.file, .warning)
        }
        return Finding(
          "release", "\(other.file) has \(job.client.name) \(version), the job \(job.client.release)",
          .warning,
          advice: "client \(job.client.name) from FILE takes the release of a lock file")
      }
  }

  private func certificates() -> Finding {
    let file = CertificateFile.find(in: environment)
    guard let file, access(file, R_OK) == 0 else {
      return Finding(
        "certificates", file.map { "\($0) cannot be read" } ?? "this system has no file of certificates",
        .error,
        advice:
          "install the package ca-certificates or name a file in SSL_CERT_FILE; without it no https URL can "
          + "be fetched")
    }
    return Finding("certificates", file)
  }

  /// The files that transfers need, and the memory of a worker.
  private static let leastFiles = 256
  private static let workerBytes = 512 << 20

  private func memory(_ processors: Int) -> Finding {
    let machine = Self.number(in: "/proc/meminfo", after: "MemAvailable:").map { $0 << 10 }
    let group = Self.number(in: "/sys/fs/cgroup/memory.max", after: "")
    guard let available = [machine, group].compactMap({ $0 }).min() else {
      return Finding("memory", "not known")
    }
    let wanted = processors * Self.workerBytes
    let text = "\(available >> 20) MiB available, workers take up to \(wanted >> 20) MiB"
    guard available < wanted else { return Finding("memory", text) }
    let workers = max(1, available / Self.workerBytes)
    return Finding("memory", text, .warning, advice: "run with --workers \(workers) if pictures are large")
  }

  private func openFiles() -> Finding {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return Finding("files", "not known")
    }
    let count = Int(clamping: limit.rlim_cur)
    guard count < Self.leastFiles else { return Finding("files", "\(count) open files allowed") }
    return Finding(
      "files", "only \(count) open files allowed", .warning, advice: "raise it: ulimit -n 1024")
  }

  /// The whole number behind a word in a file of the kernel's.
  private static func number(in path: String, after word: String) -> Int? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(word) })
    else { return nil }
    return line.dropFirst(word.count).split(separator: " ").first.flatMap { Int($0) }
  }
}

/// One thing that ``Doctor`` looked at.
package struct Finding: Sendable, Hashable {
  package enum Status: String, Sendable, Hashable, CaseIterable {
    case ok
    /// It works, but not as well as it could.
    case warning
    /// A run would fail.
    case error
  }

  /// One of a fixed set, for programs: `worker`, `disk-space`, ...
  package var name: String
  package var status: Status
  package var text: String
  /// Advice for the user.
  package var advice: String?

  package init(_ name: String, _ text: String, _ status: Status = .ok, advice: String? = nil) {
    self.name = name
    self.status = status
    self.text = text
    self.advice = advice
  }
}
