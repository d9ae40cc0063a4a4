/// The part of a run that a signpost is set in.
public enum SignpostCategory: String, Hashable, Sendable, CaseIterable {
  case job, network, render, store
}
