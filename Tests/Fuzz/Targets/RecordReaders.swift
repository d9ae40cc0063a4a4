import Foundation
import Text

@testable import Reporting

/// Everything that is made of a record: no text of a stranger's may become a part of its form.
enum RecordReaders {
  static func check(_ record: RunRecord) throws {
    var list = RenditionList()
    // Without pictures: a record may name any file of this machine.
    for (number, rendition) in record.renditions.prefix(RenditionList.perPage).enumerated() {
      let card = RenditionCard(rendition, id: "\(number)", picture: nil)
      list.add(card)
      let data = MarkupText.script(card.dataRow)
      try hold(!data.contains(UInt8(ascii: "<")), "data has no markup")
      list.rows.append(card.dataRow)
    }
    let page = ReportPage(record: record, list: list, hasPictures: true).html
    try hold(scripts(in: page) == scripts(in: empty(record)), "a page has no scripts but its own")
    let texts = [
      page, record.junitReport, record.jobSummary, record.metrics(finished: 0),
      WorkflowAnnotations(record).text,
    ]
    for text in texts {
      try hold(
        !text.unicodeScalars.contains { $0 != "\n" && SafeText.isDangerous($0) },
        "a report is safe to print: \(text.prefix(300))")
    }
    for line in record.metrics(finished: 0).split(separator: "\n") where !line.hasPrefix("#") {
      try hold(
        line.split(separator: " ").last.flatMap { Double($0) } != nil, "a metric has a number: \(line)")
    }
  }

  private static func scripts(in page: String) -> Int { page.components(separatedBy: "<script").count }

  /// The page of a run with as much in it, but without any text.
  private static func empty(_ record: RunRecord) -> String {
    ReportPage(record: RunRecord(summary: record.summary), list: RenditionList(), hasPictures: false).html
  }
}
