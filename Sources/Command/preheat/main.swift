import CStart
import PreheatCommand

// Linking it is enough: its constructor has already run.
cstart()
await PreheatCommand.main()
