/// The version of both programs: they are built and installed together, and meet in this room.
package enum PreheatVersion {
  package static let text = "0.1.0"
  /// The day of the release, for the man page; fixed, so that the page is the same wherever it is made.
  package static let day = "2026-11-21"
}
