import Text

/// For terminals.
extension HelpPage {
  var text: String {
    var lines = usage.map { ["Usage: \($0)"] } ?? []
    var isBelowHeading = lines.isEmpty
    for block in blocks {
      if !isBelowHeading { lines.append("") }
      lines += Self.lines(block)
      if case .heading = block { isBelowHeading = true } else { isBelowHeading = false }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ block: Block) -> [String] {
    switch block {
    case .heading(let text): return ["\(text):"]
    case .text(let text): return TextLayout.wrap(text)
    case .code(let lines): return lines.map { $0.isEmpty ? "" : "  " + $0 }
    case .terms(let terms, let title):
      let widest = terms.map(\.term.count).max() ?? 0
      if widest <= 30, title.isEmpty {
        return TextLayout.columns(terms.map { ($0.term, plain($0.meaning)) }, left: widest + 4)
      }
      return terms.flatMap { term in
        TextLayout.wrap(term.term, width: 76).enumerated().map { ($0 == 0 ? "  " : "    ") + $1 }
          + TextLayout.wrap(plain(term.meaning), indent: 6) + TextLayout.wrap(note(term, title), indent: 6)
      }
    }
  }

  /// `Variable: PREHEAT_WAIT`
  private static func note(_ term: Term, _ title: String) -> String {
    term.note.isEmpty ? "" : "\(title): \(plain(term.note))"
  }

  /// Text without the backticks that Markdown has around code.
  private static func plain(_ text: String) -> String { text.replacing("`", with: "") }
}

/// As a man page, in the classic man macros that every roff knows.
extension HelpPage {
  /// Where its man page lies below a `man` folder.
  var manPath: String { "man\(section)/\(name).\(section)" }

  /// - Parameter others: the pages that `SEE ALSO` lists.
  func manPage(others: [HelpPage]) -> String {
    let manual = section == 1 ? "User Commands" : section == 5 ? "File Formats" : "Miscellaneous"
    let title = Self.escape(name.uppercased())
    var lines = [
      ".TH \(title) \(section) \(PreheatVersion.day) \"preheat \(PreheatVersion.text)\" \"\(manual)\"",
      ".SH NAME", "\(Self.escape(name)) \\- \(Self.escape(summary))",
    ]
    if let usage { lines += [".SH SYNOPSIS"] + Self.paragraph(usage) }
    lines.append(".SH DESCRIPTION")
    var isBelowHeading = true
    for block in blocks {
      if case .text = block, !isBelowHeading { lines.append(".PP") }
      lines += Self.roff(block)
      if case .heading = block { isBelowHeading = true } else { isBelowHeading = false }
    }
    lines.append(".SH \"SEE ALSO\"")
    let pages = others.filter { $0.name != name }
    lines += pages.enumerated().map { index, page in
      ".BR \(Self.escape(page.name)) (\(page.section))\(index < pages.count - 1 ? "," : "")"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func roff(_ block: Block) -> [String] {
    switch block {
    case .heading(let text): [".SH \(quote(text.uppercased()))"]
    case .text(let text): paragraph(text)
    case .code(let lines): [".PP", ".nf"] + lines.map { $0.isEmpty ? "\\&" : escape($0) } + [".fi"]
    case .terms(let terms, let title):
      terms.flatMap { term in
        let note = note(term, title)
        return [".TP", ".B \(quote(term.term))"] + paragraph(plain(term.meaning))
          + (note.isEmpty ? [] : [".br"] + paragraph(note))
      }
    }
  }

  /// Running text, in input lines that people can read too.
  private static func paragraph(_ text: String) -> [String] {
    TextLayout.wrap(escape(text), width: 78).map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }
  }

  /// An argument of a macro: one word, whatever is in it.
  private static func quote(_ text: String) -> String {
    "\"" + escape(text).replacing("\"", with: "\\(dq") + "\""
  }

  /// Text as roff shows it unchanged: its escape character and its two kinds of dash and quote.
  private static func escape(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
  }
}

/// As Markdown, for `docs/`.
extension HelpPage {
  /// - Parameter level: of its headings.
  func markdown(level: Int) -> String {
    var parts = blocks.map { Self.markdown($0, level) }
    if let usage { parts.insert(["```sh", usage, "```"], at: min(1, parts.count)) }
    return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static func markdown(_ block: Block, _ level: Int) -> [String] {
    switch block {
    case .heading(let text): return [String(repeating: "#", count: level) + " " + text]
    case .text(let text): return [text]
    case .code(let lines): return ["```sh"] + lines + ["```"]
    case .terms(let terms, _):
      return terms.map { "- `\($0.term)`\($0.note.isEmpty ? "" : " (\($0.note))"): \($0.meaning)" }
    }
  }
}
