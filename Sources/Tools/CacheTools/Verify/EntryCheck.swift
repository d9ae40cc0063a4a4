import Bodies
import FileStore
import Pictures
import Rendering

/// Proves the bytes of files: structure, digest, decoding.
package struct EntryCheck: Sendable {
  /// Nil to decode nothing.
  package var pool: RenderPool?
  package var limits: RenderLimits
  package var formats: Set<ImageFormat>

  package struct Subject: Sendable {
    package var file: String
    package var key: String?
    package var source: String?
    /// SHA-256 that the bytes must have, where it is known.
    package var digest: String?
    /// Bytes that it has.
    package var size: Int
    /// Bytes that it must have, where they are known.
    package var stored: Int?
  }

  package struct Result: Sendable {
    package var findings: [Finding] = []
    package var bytes = 0
    package var isDecoded = false
    var isDigested = false

    fileprivate mutating func found(_ code: Finding.Code, _ subject: Subject, _ message: String) {
      findings.append(
        Finding(
          code: code, file: subject.file, key: subject.key, source: subject.source, message: message))
    }
  }

  typealias Batch = (findings: [Finding], results: [Result])

  /// Small files that are checked together: their bytes are in memory at once.
  private static let batch = (files: 32, bytes: 256 << 10)

  /// In the order of the files; a large one is a batch of its own.
  static func batches(of files: [FileEntry]) -> [ArraySlice<FileEntry>] {
    var batches: [ArraySlice<FileEntry>] = []
    var (start, bytes) = (0, 0)
    for (index, file) in files.enumerated() {
      // A size that overflows is that of no small file.
      let (sum, isBeyond) = bytes.addingReportingOverflow(file.size)
      bytes = isBeyond ? .max : sum
      let isFull = index - start == batch.files
      if index > start, isFull || bytes > batch.bytes {
        batches.append(files[start..<index])
        (start, bytes) = (index, file.size)
      }
    }
    if start < files.count { batches.append(files[start...]) }
    return batches
  }

  func check(_ subjects: [Subject], in files: FileStore) async -> [Result] {
    var results: [Result] = []
    var read: [(subject: Subject, bytes: [UInt8])] = []
    for subject in subjects {
      if let refused = refusal(of: subject) {
        results.append(refused)
        continue
      }
      do throws(FileStoreError) {
        guard let data = try files.read(subject.file, most: subject.size, keepingAccessDate: true) else {
          // It went away since the folder was listed, as a cache's files may.
          var result = Result()
          if subject.stored != nil { result.found(.missing, subject, "it is not a plain file any more") }
          results.append(result)
          continue
        }
        read.append((subject, [UInt8](data)))
      } catch {
        var result = Result()
        result.found(.unreadable, subject, "\(error)")
        results.append(result)
      }
    }
    return results + (await check(read))
  }

  /// Of a file that is not read, since its size tells enough, or is beyond what any picture may have.
  private func refusal(of subject: Subject) -> Result? {
    var result = Result()
    if let stored = subject.stored, subject.size > stored {
      result.isDigested = true
      result.found(
        .digest, subject, "it is not what was stored: it has \(subject.size) bytes, and had \(stored)")
      return result
    }
    do throws(RenderFailure) { try limits.check(byteCount: subject.size) } catch {
      result.found(error.code.finding, subject, error.message)
      return result
    }
    return nil
  }

  func check(_ subject: Subject, _ bytes: [UInt8]) async -> Result { await check([(subject, bytes)])[0] }

  /// Results in the order of the files.
  private func check(_ files: [(subject: Subject, bytes: [UInt8])]) async -> [Result] {
    var results: [Result] = []
    var undecided: [Int] = []
    for (index, file) in files.enumerated() {
      let (result, isUndecided) = look(at: file.subject, file.bytes)
      results.append(result)
      if isUndecided { undecided.append(index) }
    }
    guard let pool else { return results }
    let renderer = SourceRenderer(pool: pool, limits: limits, formats: formats)
    let proof = RenderRequest.Output(steps: [], encoding: .original)
    // What a batch does not prove is asked for by itself, so that the answer is about that picture alone.
    let proven = undecided.count > 1 ? await renderer.prove(undecided.map { files[$0].bytes }) : [false]
    for (index, isProven) in zip(undecided, proven) {
      do throws(RenderFailure) {
        if !isProven {
          _ = try await renderer.render([proof], of: files[index].bytes).bytes(at: 0, source: [])
        }
        results[index].isDecoded = true
      } catch {
        // A truncated file gets a finding besides that of its digest.
        results[index].found(error.code.finding, files[index].subject, error.message)
      }
    }
    return results
  }

  /// All that needs no decoder, and whether there is something for one. One reason to distrust the bytes is enough: a
  /// wrong digest says that before any decoder does.
  private func look(at subject: Subject, _ bytes: [UInt8]) -> (result: Result, isUndecided: Bool) {
    var result = Result(bytes: bytes.count)
    guard !bytes.isEmpty else {
      result.found(.empty, subject, "it is empty")
      return (result, false)
    }
    if let digest = subject.digest {
      result.isDigested = true
      if ContentDigest.sha256(bytes) != digest { result.found(.digest, subject, "it is not what was stored") }
    }
    do throws(RenderFailure) {
      let header = try ImageHeader.read(bytes)
      // Its digest says that it is what a decoder has proved, or one proves it now.
      let isProven = result.findings.isEmpty && (pool != nil || result.isDigested)
      guard header.isComplete || (header.isLeftToDecoder && isProven) else {
        result.found(.truncated, subject, "the \(header.format.name) ends before its end mark")
        return (result, false)
      }
      return (result, pool != nil && formats.contains(header.format))
    } catch {
      result.found(error.code.finding, subject, error.message)
      return (result, false)
    }
  }
}

extension RenderFailure.Code {
  fileprivate var finding: Finding.Code {
    switch self {
    case .format: .format
    case .truncated: .truncated
    case .damaged, .crash, .limit, .size, .encode: .undecodable
    case .memory, .timeout, .worker, .processes, .cancelled: .undecided
    }
  }
}
