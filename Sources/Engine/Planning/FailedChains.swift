/// The chains of job lines that failed, each with its cause, for a job that makes them again.
package struct FailedChains: Sendable {
  struct Place: Hashable {
    var file: String
    var line: Int
    var chain: String
  }

  private(set) var causes: [Place: String] = [:]

  package init() {}

  package var isEmpty: Bool { causes.isEmpty }

  /// Two scales of one chain may fail for two causes: the first is told.
  package mutating func add(_ rendition: PlannedRendition, _ failure: RunFailure) {
    let place = Place(file: rendition.file, line: rendition.line, chain: rendition.chain)
    if causes[place] == nil { causes[place] = "\(failure.cause ?? failure.message) (\(failure.code))" }
  }
}
