import HTTPLoading

/// What goes with a piece of work: how urgent it is, and who wants to know how far it is.
struct WorkContext: Sendable {
  var priority: WorkPriority
  var report: HTTPProgress.Handler
}
