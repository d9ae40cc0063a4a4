import Foundation
import TestSupport
import Testing

/// A decoder that has been taken over goes nowhere: `hostile-worker` is confined as workers are and tries it.
@Suite(.timeLimit(.minutes(5))) struct ConfinementTests {
  private static let intruder = BuiltCommand.products.appendingPathComponent("hostile-worker")

  /// As root and as nobody, for limits on processes do not bind root.
  @Test(arguments: getuid() == 0 ? [[], ["nobody"]] : [[]]) func whatNoDecoderNeedsIsRefused(words: [String])
    throws
  {
    let folder = try TemporaryFolder()
    let scratch = folder.file("scratch")
    try Data("untouched".utf8).write(to: scratch)
    let result = try Program.run([Self.intruder.path, scratch.path] + words, in: folder.url)
    try #require(result.status == 0, "this system has no filter of system calls")
    var results: [String: Int32] = [:]
    for line in result.output.split(separator: "\n") {
      let words = line.split(separator: " ")
      results[String(words[0])] = Int32(words[1])
    }
    let namespaces = results.removeValue(forKey: "namespaces")
    #expect(results.removeValue(forKey: "victim-lives") == 0)
    let (threads, refusal) = (
      results.removeValue(forKey: "threads"), results.removeValue(forKey: "thread-refusal")
    )
    // Where the kernel has no listener for calls, threads are not counted, and `preheat doctor` says so.
    if results.removeValue(forKey: "counted") == 1 {
      #expect(threads.map { (8...64).contains($0) } == true, "\(threads ?? -1) threads")
      #expect(refusal == EAGAIN)
    }
    #expect(results.count >= 78)
    for (attempt, number) in results {
      #expect(number == (attempt == "clone3" ? ENOSYS : EPERM), "\(attempt)")
    }
    #expect(namespaces != nil)
    #expect(try String(contentsOf: scratch, encoding: .utf8) == "untouched")
    #expect(try folder.names() == ["scratch"])
  }
}
