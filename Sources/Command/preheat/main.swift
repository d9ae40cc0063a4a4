import CStart
import PreheatCommand

// Links CStart: its start-up code has opened standard streams that were closed.
cstart()
await PreheatCommand.main()
