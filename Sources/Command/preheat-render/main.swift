import CStart
import Glibc
import ImageProcessing

// Links CStart: its start-up code has opened standard streams that were closed.
cstart()
exit(PreheatRender.main(CommandLine.arguments))
