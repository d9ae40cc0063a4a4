import PreheatCommand

await PreheatCommand.main()
