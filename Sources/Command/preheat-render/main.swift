import CStart
import Glibc
import ImageProcessing

// Linked, it has done its work before.
cstart()
exit(PreheatRender.main(CommandLine.arguments))
