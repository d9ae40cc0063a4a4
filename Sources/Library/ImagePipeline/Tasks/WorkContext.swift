import Fetching

/// What goes with a piece of work: how urgent it is, and who wants to know how far it is.
package struct WorkContext: Sendable {
  var priority: WorkPriority
  package var report: HTTPProgress.Handler
}
