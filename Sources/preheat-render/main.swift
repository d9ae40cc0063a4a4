import Glibc
import ImageProcessing

exit(RenderWorker.main(CommandLine.arguments))
