import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct FailOnTests {
  static let rows: [(total: Int, failed: Int, retryable: Int, none: ExitCode, any: ExitCode, all: ExitCode)] =
    [
      (0, 0, 0, .success, .success, .success),
      (9, 0, 0, .success, .success, .success),
      (9, 1, 0, .success, .someFailed, .success),
      (9, 2, 1, .success, .someFailed, .success),
      (9, 2, 2, .success, .retryable, .success),
      (9, 9, 0, .success, .noneSucceeded, .noneSucceeded),
      (9, 9, 8, .success, .noneSucceeded, .noneSucceeded),
      (9, 9, 9, .success, .retryable, .retryable),
    ]

  @Test(arguments: rows) func failedRenditionsDecideTheExitCode(
    total: Int, failed: Int, retryable: Int, none: ExitCode, any: ExitCode, all: ExitCode
  ) {
    #expect(FailOn.none.exitCode(total: total, failed: failed, retryable: retryable) == none)
    #expect(FailOn.any.exitCode(total: total, failed: failed, retryable: retryable) == any)
    #expect(FailOn.all.exitCode(total: total, failed: failed, retryable: retryable) == all)
  }
}
