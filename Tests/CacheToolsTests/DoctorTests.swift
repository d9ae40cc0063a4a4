import Foundation
import TestSupport
import Testing

@testable import CacheTools

@Suite(.timeLimit(.minutes(10)))
struct DoctorTests {
  private static func examine(_ folder: String, _ environment: [String: String] = [:]) -> [Finding] {
    let own = ["PREHEAT_RENDER": BuiltCommand.renderer.path, "PATH": "/usr/bin"]
    return Doctor(folder: folder, environment: own.merging(environment) { $1 }).examine()
  }

  private static func status(_ name: String, _ findings: [Finding]) -> Finding.Severity? {
    findings.first { $0.code.rawValue == name }?.severity
  }

  @Test func aMachineThatRunsTheseTestsIsFitForARun() throws {
    let folder = try TemporaryFolder()
    let findings = Self.examine(folder.file("not/there/yet").path)
    #expect(
      findings.map(\.code.rawValue) == [
        "preheat", "machine", "worker", "libvips", "confinement", "decoders", "encoders", "libcurl", "sqlite",
        "certificates",
        "processors", "memory", "processes", "files", "file-system", "disk-space", "publishing",
      ])
    for name in ["worker", "libvips", "decoders", "publishing"] {
      #expect(Self.status(name, findings) == .ok, "\(findings)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func whatARunWouldFailOnIsAnError() {
    let findings = Self.examine(
      "/proc/1", ["PREHEAT_RENDER": "/nowhere/preheat-render", "SSL_CERT_FILE": "/nowhere/ca.pem"])
    for name in ["worker", "certificates", "publishing"] {
      #expect(Self.status(name, findings) == .error, "\(findings)")
    }
  }

  @Test func aLocalDiskIsNotRemote() {
    for (name, isRemote) in [
      ("ext4", false), ("fuseblk", false), ("fuse", true), ("fuse.sshfs", true), ("nfs4", true),
      ("cifs", true),
    ] {
      #expect(Doctor.isRemote(name) == isRemote, "\(name)")
    }
  }

  @Test func aRendererThatIsNoneIsAnError() {
    for program in ["/bin/true", "/bin/false", "/bin/echo"] {
      #expect(Self.status("worker", Self.examine("/tmp", ["PREHEAT_RENDER": program])) == .error)
    }
  }

  /// As in an emulated machine, where a worker needs 20 seconds to start.
  @Test func aRendererThatStartsSlowlyIsWaitedFor() throws {
    let folder = try TemporaryFolder()
    let slow = folder.file("slow")
    try Data("#!/bin/sh\nsleep 11\nexec '\(BuiltCommand.renderer.path)' \"$@\"\n".utf8).write(to: slow)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: slow.path)
    #expect(Self.status("worker", Self.examine(folder.path, ["PREHEAT_RENDER": slow.path])) == .ok)
  }

  /// A system's own words about itself, on another processor and in a narrow container.
  @Test(arguments: [
    ("proc/sys/kernel/arch", "riscv64\n", "machine", "emulated on riscv64"),
    ("sys/fs/cgroup/pids.max", "12\n", "processes", "12 processes and threads allowed"),
    ("sys/fs/cgroup/pids/pids.max", "12\n", "processes", "12 processes and threads allowed"),
    ("sys/fs/cgroup/memory.max", "104857600\n", "memory", "100 MiB available"),
    // The group of a service, or one above it, where the root of the tree is in sight.
    ("sys/fs/cgroup/a.slice/pids.max", "12\n", "processes", "12 processes and threads allowed"),
    ("sys/fs/cgroup/a.slice/b.service/memory.max", "104857600\n", "memory", "100 MiB available"),
    ("sys/fs/cgroup/pids/group/pids.max", "12\n", "processes", "12 processes and threads allowed"),
    ("sys/fs/cgroup/memory/memory.limit_in_bytes", "104857600\n", "memory", "100 MiB available"),
  ])
  func aNarrowSystemIsNamedInOneLine(path: String, text: String, name: String, words: String) throws {
    let root = try TemporaryFolder()
    let groups = "4:pids,cpu:/group\n3:memory:/other\n0::/a.slice/b.service\n"
    // Not this process's.
    for (path, text) in [
      ("proc/self/cgroup", groups), ("sys/fs/cgroup/pids/other/pids.max", "1"), (path, text),
    ] {
      let file = root.file(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    var doctor = Doctor(folder: root.path, environment: ["PREHEAT_RENDER": BuiltCommand.renderer.path])
    doctor.root = root.path
    let finding = try #require(doctor.examine().first { $0.code.rawValue == name })
    #expect(
      finding.severity == .warning && finding.message.contains(words) && finding.advice != nil, "\(finding)")
  }
}
