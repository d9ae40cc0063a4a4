import ClientKit
import Text

/// What the ledger says of the entries of a run's plans. Chains repeat from source to source, so the identities of
/// entries without options of their own are made once.
package struct EntryIdentities: Sendable {
  /// The name of each plan's job: its path as seen from the cache folder, so that both can move together.
  package let jobs: [String]
  private let encoded: [[String]]
  private let original = RenditionTask.identity(content: .original, output: nil, sha256: nil)

  package init(plans: [Plan]) {
    jobs = plans.map { plan in
      let path = plan.settings.path
      return path == "-" ? path : PathText.relative(path, to: plan.settings.cache)
    }
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
