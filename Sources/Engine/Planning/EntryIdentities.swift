import ClientKit

/// The identities of all entries of a run's plans. Chains repeat from source to source, so those
/// without options of their own are made once.
package struct EntryIdentities: Sendable {
  private let encoded: [[String]]
  private let original = RenditionTask.identity(content: .original, output: nil, sha256: nil)

  package init(plans: [Plan]) {
    encoded = plans.map { plan in
      plan.variants.map { variant in
        RenditionTask.identity(
          content: .encoded, output: plan.output(of: variant, options: .none), sha256: nil)
      }
    }
  }

  package func identity(of store: PlannedRendition.Store, row: Plan.Row, plan: Int, task: RenditionTask)
    -> String
  {
    guard task.options.sha256 == nil, task.options.encoding == nil, task.options.embedded == nil
    else {
      return RenditionTask.identity(content: store.content, output: task.output, sha256: task.options.sha256)
    }
    return store.content == .original ? original : encoded[plan][Int(row.variant)]
  }
}
