/// What `preheat plan` is told.
public struct PlanArguments: Sendable, Hashable {
  public var common: CommonArguments
  public var job: JobArguments

  public init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    job = try JobArguments(values)
  }
}
