import Foundation
import TestSupport
import Testing

@testable import PreheatCommand

/// What is wrong with the arguments of `preheat key` is shown at the argument.
@Suite(.timeLimit(.minutes(10))) struct KeyArgumentsTests {
  private func key(_ arguments: String...) async throws -> [String] {
    let outcome = try await Outcome(of: ["key", "--client=nuke 12"] + arguments).expect(2, isSilent: true)
    return outcome.messages.split(separator: "\n").map(String.init)
  }

  @Test func aWrongChainIsUnderlinedAsItWasTyped() async throws {
    let lines = try await key("https://e.com/a.jpg", "circle | resize(widht: 3)")
    #expect(lines[0].hasPrefix("CHAIN:1:17: error: resize has no 'widht'"))
    #expect(lines[1] == "  circle | resize(widht: 3)")
    #expect(lines[2] == "                  ^")
  }

  @Test func aWrongSourceIsUnderlinedAsItWasTyped() async throws {
    let lines = try await key("htps://e.com/\"a\".jpg", "circle")
    #expect(lines[0].hasPrefix("URL:1:1: error: sources cannot have the scheme 'htps'"))
    #expect(lines[1] == "  htps://e.com/\"a\".jpg")
    #expect(lines[2] == "  ^")
    #expect(try await key("", "circle").first?.hasPrefix("URL:1:1: error: '' is neither a URL") == true)
  }

  @Test func aSecretInASourceIsNotShown() async throws {
    let lines = try await key("htps://u:S3CRET@e.com/a.jpg?token=S3CRET")
    #expect(!lines.joined().contains("S3CRET"))
  }

  @Test func behindQuotesAndBackslashesTheCaretStaysRight() async throws {
    let source = "https://e.com/\\\"\"a.jpg"
    for (id, chain) in [("x", "circle | no"), ("a\"b", "circle | no")] {
      let lines = try await key(source, chain, "--id", id)
      #expect(
        lines.contains { $0.hasPrefix("CHAIN:1:10: error: no chain or processor is called 'no'") }, "\(lines)"
      )
    }
  }

  @Test func withAJobTheArgumentIsShownToo() async throws {
    let scene = try CommandScene()
    let job = try scene.job(lines: ["chain card = circle", "https://e.com/1.jpg card"])
    let outcome = try await scene.preheat("key", "--job", job, "https://e.com/2.jpg", "card | crd")
    #expect(outcome.messages.hasPrefix("CHAIN:1:8: error:") && outcome.messages.contains("\n  card | crd\n"))
    let line = try await scene.preheat("key", "--job", job, "https://e.com/2.jpg crd")
    #expect(
      line.messages.hasPrefix("URL:1:21: error:") && line.messages.contains("\n  https://e.com/2.jpg crd\n"))
  }
}
