import CStart
import PreheatCommand

// Linked, it has done its work before.
cstart()
await PreheatCommand.main()
