import ContentDigests
import Foundation
import Pictures
import Rendering

/// Proves the bytes of one file: structure, digest, decoding.
package struct EntryCheck: Sendable {
  /// Nil to decode nothing.
  package var pool: RenderPool?
  package var limits: RenderLimits
  package var formats: Set<ImageFormat>

  package struct Subject: Sendable {
    package var file: String
    package var key: String?
    /// SHA-256 that the bytes must have, where somebody knows it.
    package var digest: String?
  }

  package struct Result: Sendable {
    package var findings: [VerifyFinding] = []
    package var bytes = 0
    package var isDecoded = false
    var isDigested = false
  }

  /// One reason to distrust the bytes is enough: a wrong digest says that before any decoder does.
  func check(_ subject: Subject, _ bytes: [UInt8]) async -> Result {
    var result = Result(bytes: bytes.count)
    func found(_ code: VerifyFinding.Code, _ message: String) {
      result.findings.append(VerifyFinding(code, file: subject.file, key: subject.key, message))
    }
    guard !bytes.isEmpty else {
      found(.empty, "it is empty")
      return result
    }
    if let digest = subject.digest {
      result.isDigested = true
      if ContentDigest.sha256(bytes) != digest { found(.digest, "it is not what was stored") }
    }
    do throws(RenderFailure) {
      let header = try ImageHeader.read(bytes)
      guard header.isComplete else {
        found(.truncated, "the \(header.format.name) ends before its end mark")
        return result
      }
      guard let pool, formats.contains(header.format) else { return result }
      try await decode(bytes, pool)
      result.isDecoded = true
    } catch {
      let code = error.code.finding
      // What a short file says beside its wrong digest is still worth a line; the same thing twice is not.
      found(code, error.message)
    }
    return result
  }

  private func decode(_ bytes: [UInt8], _ pool: RenderPool) async throws(RenderFailure) {
    let proof = RenderRequest.Output(steps: [], encoding: .original)
    let renderer = SourceRenderer(pool: pool, limits: limits, formats: formats)
    _ = try await renderer.render([proof], of: bytes).bytes(at: 0, source: [])
  }
}

extension RenderFailure.Code {
  fileprivate var finding: VerifyFinding.Code {
    switch self {
    case .format: .format
    case .truncated: .truncated
    case .damaged, .crash, .limit, .size, .encode: .undecodable
    case .memory, .timeout, .worker, .cancelled: .undecided
    }
  }
}
