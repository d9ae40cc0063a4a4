import CStart
import Dispatch
import PreheatCommand

cstart_check_proc()
// The tasks' runtime starts threads, so what it needs is checked first.
PreheatCommand.main {
  cstart_check()
  Task.detached {
    while true {
      cstart_extend()
      try? await Task.sleep(nanoseconds: 2_000_000_000)
    }
  }
}
dispatchMain()
