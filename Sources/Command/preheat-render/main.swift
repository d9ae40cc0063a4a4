import CStart
import Glibc
import ImageProcessing

// Linking it is enough: its constructor has already run.
cstart()
exit(PreheatRender.main(CommandLine.arguments))
