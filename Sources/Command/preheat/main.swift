import CStart
import Dispatch
import PreheatCommand

// A first `await` here would start the tasks' runtime before anything is checked.
cstart_check()
Task { await PreheatCommand.main() }
dispatchMain()
