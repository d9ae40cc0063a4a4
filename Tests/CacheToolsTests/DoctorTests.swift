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

  private static func status(_ name: String, _ findings: [Finding]) -> Finding.Status? {
    findings.first { $0.name == name }?.status
  }

  @Test func aMachineThatRunsTheseTestsIsFitForARun() throws {
    let folder = try TemporaryFolder()
    let findings = Self.examine(folder.file("not/there/yet").path)
    #expect(
      findings.map(\.name) == [
        "preheat", "worker", "libvips", "confinement", "decoders", "encoders", "libcurl", "sqlite",
        "certificates",
        "processors", "memory", "files", "file-system", "disk-space", "publishing",
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

  @Test func aRendererThatIsNoneIsAnError() {
    for program in ["/bin/true", "/bin/false", "/bin/echo"] {
      #expect(Self.status("worker", Self.examine("/tmp", ["PREHEAT_RENDER": program])) == .error)
    }
  }
}
