/// What `preheat plan` is told.
package struct PlanArguments: Sendable, Hashable {
  package var common: CommonArguments
  package var job: JobArguments

  package init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    job = try JobArguments(values)
  }
}
