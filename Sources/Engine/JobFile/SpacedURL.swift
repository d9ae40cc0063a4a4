import Syntax
import Text

/// A URL or a path with white space and without quotes: what follows the first space reads as unknown chains.
enum SpacedURL {
  /// Looks at a line that is wrong behind its source.
  ///
  /// - Parameters:
  ///   - source: where the source stands as it was read.
  ///   - mistakes: where its rest is wrong.
  /// - Returns: nil where nothing in the rest looks like a part of the source.
  static func mistake(
    in bytes: ArraySlice<UInt8>, source: Range<Int>, mistakes: [Int] = []
  ) -> Mistake? {
    guard bytes[source.lowerBound] != UInt8(ascii: "\"") else { return nil }
    let words = words(bytes[source.upperBound...])
    let last =
      words.last(where: { isRest(bytes[$0]) })
      // Two unknown words directly behind a source without an ending are not typing mistakes.
      ?? (words.count > 1 && !hasFileEnding(String(decoding: bytes[source], as: UTF8.self))
        && words.prefix(2).allSatisfy { mistakes.contains($0.lowerBound) && isBare(bytes[$0]) }
        ? words.prefix { mistakes.contains($0.lowerBound) && isBare(bytes[$0]) }.last : nil)
    guard let last else { return nil }
    let whole = Mistake.shown(String(decoding: bytes[source.lowerBound..<last.upperBound], as: UTF8.self))
    let isPath = "/.".utf8.contains(bytes[source.lowerBound])
    return Mistake(
      source.upperBound, "this \(isPath ? "path" : "URL") has white space in it",
      help: "put all of it in double quotes: \"\(whole)\"" + (isPath ? "" : ", or write %20 for each space"))
  }

  private static func words(_ rest: ArraySlice<UInt8>) -> [Range<Int>] {
    var scanner = LineScanner(rest)
    var words: [Range<Int>] = []
    while true {
      scanner.skipBlank()
      if scanner.atEnd || words.count >= 64 { return words }
      let start = scanner.position
      words.append(start..<start + scanner.word().count)
    }
  }

  /// Whether a word is more likely a part of a URL than a chain or an option.
  private static func isRest(_ word: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: word, as: UTF8.self)
    guard !text.contains("://"), !text.contains("\""), !text.contains("|"), let last = text.last,
      !"),".contains(last)
    else { return false }
    if let equals = word.firstIndex(of: UInt8(ascii: "=")), LineOption.named(word[..<equals]) != nil {
      return false
    }
    // `resize(width:` is the beginning of a processor.
    if let call = word.firstIndex(of: UInt8(ascii: "(")), call > word.startIndex,
      word[..<call].allSatisfy(LineScanner.isName), !text.contains("/")
    {
      return false
    }
    return text.contains { "/?%&".contains($0) } || hasFileEnding(text)
  }

  private static func isBare(_ word: ArraySlice<UInt8>) -> Bool {
    word.allSatisfy(LineScanner.isName) && LineOption.named(word) == nil
  }

  /// `.jpg`, `.jpeg`, `.png`: a dot and two to four letters or digits, letters among them.
  private static func hasFileEnding(_ text: String) -> Bool {
    guard let dot = text.lastIndex(of: ".") else { return false }
    let ending = text[text.index(after: dot)...]
    return (2...4).contains(ending.utf8.count) && ending.contains { $0.isASCII && $0.isLetter }
      && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
