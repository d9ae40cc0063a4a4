import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct ProgressLineTests {
  static func state(
    _ done: Int, of total: Int, failed: Int = 0, bytes: Int = 0, seconds: Int = 0
  ) -> ProgressState {
    var state = ProgressState(total: total)
    state.done = done
    state.failed = failed
    state.bytes = bytes
    state.elapsed = .seconds(seconds)
    return state
  }

  static let full = state(1250, of: 5000, failed: 2, bytes: 47_400_000, seconds: 14)

  static let lines: [(ProgressState, Int, String)] = [
    (
      full, 100,
      "[==========>                             ]  1,250/5,000  2 failed  45.2 MiB  3.2 MiB/s  0:42 left"
    ),
    (full, 79, "[=====>                ]  1,250/5,000  2 failed  45.2 MiB  3.2 MiB/s  0:42 left"),
    (full, 69, "[===>        ]  1,250/5,000  2 failed  45.2 MiB  3.2 MiB/s  0:42 left"),
    (full, 60, "1,250/5,000  2 failed  45.2 MiB  3.2 MiB/s  0:42 left"),
    (full, 45, "1,250/5,000  2 failed  45.2 MiB  0:42 left"),
    (full, 34, "1,250/5,000  2 failed  0:42 left"),
    (full, 22, "1,250/5,000  2 failed"),
    (full, 11, "1,250/5,000"),
    (full, 4, "1,25"),
    (full, 0, ""),
    (full, -1, ""),
    (state(0, of: 12), 40, "[>                               ]  0/12"),
    (state(12, of: 12, seconds: 3), 30, "[=====================]  12/12"),
    (state(13, of: 12, seconds: 3), 30, "[=====================]  12/12"),
    (state(0, of: 0), 40, "0/0"),
    (state(1, of: 2, bytes: 999, seconds: 0), 30, "[========>       ]  1/2  999 B"),
    (
      state(1, of: 3, bytes: 1024, seconds: 7200), 79,
      "[=============>                          ]  1/3  1.0 KiB  0 B/s  4:00:00 left"
    ),
  ]

  @Test(arguments: lines) func aStateIsDrawnAsItsLine(state: ProgressState, width: Int, line: String) {
    let drawn = ProgressLine.draw(state, width: width)
    #expect(drawn == line)
    #expect(drawn.count <= max(0, width))
  }

  static func paced(_ done: Int, skipped: Int = 0, idle: Double = 0) -> ProgressState {
    var state = state(done, of: 1000, seconds: 100)
    state.skipped = skipped
    state.idle = idle
    return state
  }

  static let ends: [(ProgressState, String)] = [
    (paced(500), "500/1,000  1:40 left"), (paced(500, skipped: 400), "500/1,000  8:20 left"),
    (paced(500, skipped: 500), "500/1,000  1:40 left"), (paced(500, idle: 9.9), "500/1,000  1:40 left"),
    (paced(500, idle: 65), "500/1,000  nothing for 1:05"),
    (paced(0, idle: 100), "0/1,000  nothing for 1:40"), (paced(1000), "1,000/1,000"),
  ]

  @Test(arguments: ends) func whatIsLeftFollowsFromWhatWasMade(state: ProgressState, line: String) {
    let drawn = ProgressLine.draw(state, width: 60)
    #expect(drawn.hasPrefix("[") && drawn.hasSuffix("]  " + line))
  }

  @Test func aLineNeverExceedsItsWidth() {
    for width in 0...130 {
      for done in stride(from: 0, through: 5000, by: 500) {
        let state = Self.state(done, of: 5000, failed: done / 3, bytes: done * 77_777, seconds: done)
        #expect(ProgressLine.draw(state, width: width).count <= width)
      }
    }
  }

  @Test func enormousNumbersAreDrawnToo() {
    let state = Self.state(.max, of: .max, failed: .max, bytes: .max, seconds: 1)
    #expect(ProgressLine.draw(state, width: 200).contains("9,223,372,036,854,775,807"))
  }
}
