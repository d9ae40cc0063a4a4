import Foundation

@testable import NukeCache

// The little languages inside the columns of `nuke-keys.tsv`.

func number(_ text: String) throws -> Double {
  guard let value = Double(text) else { throw KeySpecification.Malformed(description: "number \(text)") }
  return value
}

func size(_ text: String?) throws -> (Double, Double) {
  let sides = try split(text ?? "", at: "x").map(number)
  guard sides.count == 2 else { throw KeySpecification.Malformed(description: "size \(text ?? "-")") }
  return (sides[0], sides[1])
}

/// `a=1,b=2` by name.
func fields(_ text: String) throws -> [String: String] {
  var fields: [String: String] = [:]
  for field in split(text, at: ",") where !field.isEmpty {
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { throw KeySpecification.Malformed(description: "field \(field)") }
    fields[parts[0]] = parts[1]
  }
  return fields
}

/// Splits where no parenthesis or bracket is open; nothing splits into no part.
func split(_ text: String, at separator: Character) -> [String] {
  var parts: [String] = text.isEmpty ? [] : [""]
  var depth = 0
  for character in text {
    if "([".contains(character) { depth += 1 }
    if ")]".contains(character) { depth -= 1 }
    if character == separator, depth == 0 {
      parts.append("")
    } else {
      parts[parts.count - 1].append(character)
    }
  }
  return parts
}

func percentDecoded(_ text: String) throws -> String {
  guard let decoded = text.removingPercentEncoding else {
    throw KeySpecification.Malformed(description: "percent-encoding \(text)")
  }
  return decoded
}

/// What an app's `URL(fileURLWithPath:)` holds.
func fileURLText(_ path: String) throws -> String { URL(fileURLWithPath: path).absoluteString }

/// What an app's `URL(string:relativeTo:)` holds; the two are apart by a space.
func resolvedText(_ text: String) throws -> String {
  let parts = text.split(separator: " ").map(String.init)
  guard parts.count == 2, let url = URL(string: parts[0], relativeTo: URL(string: parts[1])) else {
    throw KeySpecification.Malformed(description: "relative URL \(text)")
  }
  return url.absoluteString
}
