import Glibc
import ImageProcessing

exit(PreheatRender.main(CommandLine.arguments))
