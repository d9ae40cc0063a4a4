import FileStore
import Foundation
import Pictures
import Text

/// A page of facts and tables in the look of a run's page, without any script. All texts are escaped here.
package enum FactsPage {
  package struct Fact: Sendable {
    var name: String
    var value: String
    var isBad: Bool

    package init(_ name: String, _ value: String, isBad: Bool = false) {
      self.name = name
      self.value = value
      self.isBad = isBad
    }
  }

  /// Writes `index.html` into a folder, which is created where it is missing.
  package static func write(
    into folder: String, title: String, eyebrow: String, headline: String, facts: [Fact],
    sections: [PageSection], footer: String
  ) throws(FileStoreError) {
    let html = PageFrame.html(
      title: MarkupText.escape(title),
      header: PageHeader(
        eyebrow: "<span class=\"job\">\(MarkupText.escape(eyebrow))</span>", headline: headline, facts: facts),
      sections: sections, footer: footer)
    let files = try FileStore(folder: URL(fileURLWithPath: folder))
    try files.write(Data(html.utf8), as: ReportPage.file)
  }
}

extension PageSection {
  /// - Parameter rows: The first cell of a row is its name; numbers stand in the others.
  package static func table(
    _ id: String, _ title: String, introduction: String = "", head: [String], rows: [[String]]
  ) -> PageSection {
    let table = PageTable.html(
      head.first ?? "", kind: "wide", head: head.map(MarkupText.escape),
      rows: rows.map { row in
        [.name(MarkupText.escape(row.first ?? ""))] + row.dropFirst().map { .text($0) }
      })
    return PageSection(
      id, MarkupText.escape(title), introduction: MarkupText.escape(introduction), table)
  }

  /// A picture with its name; without bytes only the name is shown.
  package struct ShownPicture: Sendable {
    var name: String
    var bytes: [UInt8]?

    package init(name: String, bytes: [UInt8]?) { (self.name, self.bytes) = (name, bytes) }

    /// The page stands alone, so the picture is in it. Bytes that no browser shows are not.
    fileprivate var html: String {
      let format = bytes.flatMap { ImageFormat.sniff($0) }.flatMap {
        ImageFormat.trusted.contains($0) ? $0 : nil
      }
      let name = MarkupText.escape(ReportText.shortened(name))
      let image = format.map { format in
        "<img src=\"data:image/\(format.rawValue);base64,\(Data(bytes ?? []).base64EncodedString())\" alt=\"\(name)\">"
      }
      return "<figure><div class=\"mat\">\(image ?? "")</div><figcaption>\(name)</figcaption></figure>"
    }
  }

  package struct PictureGroup: Sendable {
    var title: String
    var note: String
    var pictures: [ShownPicture]

    package init(title: String, note: String, pictures: [ShownPicture]) {
      (self.title, self.note, self.pictures) = (title, note, pictures)
    }
  }

  /// Groups of pictures, each under its title.
  package static func pictures(_ id: String, _ title: String, groups: [PictureGroup]) -> PageSection {
    let body = groups.map { group in
      """
      <h3>\(MarkupText.escape(group.title))</h3>
      <p>\(MarkupText.escape(group.note))</p>
      <div class="sheet">\(group.pictures.map(\.html).joined())</div>
      """
    }
    return PageSection(id, MarkupText.escape(title), body.joined(separator: "\n"))
  }

  /// - Parameter columns: Parts of each column from below, of 1 together: good, less good, bad.
  package static func chart(
    _ id: String, _ title: String, introduction: String, columns: [[Double]], label: String
  ) -> PageSection {
    let width = 120 / Double(max(1, columns.count))
    var marks = ""
    for (index, column) in columns.enumerated() {
      var top = 30.0
      for (share, name) in zip(column, ["fill", "soft", "bad"]) where share > 0 {
        top -= share * 30
        let numbers = [Double(index) * width, top, width, share * 30].map(PageFrame.coordinate)
        marks += "<rect class=\"\(name)\" x=\"\(numbers[0])\" y=\"\(numbers[1])\" "
        marks += "width=\"\(numbers[2])\" height=\"\(numbers[3])\"/>"
      }
    }
    let svg = """
      <svg class="bar tall" viewBox="0 0 120 30" preserveAspectRatio="none" role="img" \
      aria-label="\(MarkupText.escape(label))">\(marks)</svg>
      """
    return PageSection(id, MarkupText.escape(title), introduction: MarkupText.escape(introduction), svg)
  }
}
