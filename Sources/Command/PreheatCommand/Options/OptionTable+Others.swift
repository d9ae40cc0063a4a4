extension OptionTable {
  package static let plan = CommandSpec("plan", "show what a run would write, without any network").with {
    $0.detail = [
      "Prints one line for each rendition: its key, its file name and where it comes from. Nothing is "
        + "downloaded, rendered or written."
    ]
    $0.positionals = [jobPositional]
    $0.examples = [
      .init("preheat plan jobs/catalog.job", "keys and file names"),
      .init("preheat plan --json jobs/*.job | head", "the same for programs"),
    ]
    $0.options = jobSettings + [json] + everywhere
  }

  package static let key = CommandSpec("key", "show the key and file name of one rendition").with {
    $0.detail = [
      "The chain is written as in a job; without one, the key is that of the original data. With --in "
        + "it also says whether the entry is in that cache, and why not; the exit code is "
        + "\(ExitCode.missed.rawValue) if it is not."
    ]
    $0.positionals = [
      .init("URL", .text, 1...1, "the source, as a job names it"),
      .init("CHAIN", .text, 0...1, "the processors, as a job spells them"),
    ]
    $0.examples = [
      .init("preheat key --client 'nuke 12' https://example.com/1.jpg", "the original data"),
      .init("preheat key --client 'nuke 12' --scale 3 URL 'resize(width: 320)'", "a rendition"),
      .init("preheat key --client 'nuke 12' --in out URL 'resize(width: 320)'", "hit or miss"),
      .init("preheat key --client 'kingfisher 8' --style builder URL 'blur(radius: 4)'", "a KFImage"),
    ]
    $0.options =
      [
        client.with { $0.defaultText = nil },
        scale.with { $0.defaultText = "1" },
        OptionSpec("id", .text("TEXT"), "the request's image ID or cache key, in place of the URL").with {
          $0.isCommon = true
        },
        OptionSpec("in", .folder("DIR"), "look the entry up in this cache folder").with {
          $0.isCommon = true
        },
      ] + kingfisherNaming + [json] + everywhere
  }

  package static let doctor = CommandSpec(
    "doctor", "check what a run needs: renderer, libraries, limits, disk"
  ).with {
    $0.detail = [
      "Shows libraries and their versions, the formats that can be decoded and encoded, certificates, "
        + "limits, and whether the disk of a cache folder can take files as a run writes them. Ends with "
        + "status 1 where a run would fail."
    ]
    $0.positionals = [.init("DIR", .file, 0...1, "a cache folder, or where one will be; else this folder")]
    $0.examples = [
      .init("preheat doctor", "this machine"),
      .init("preheat doctor --json out/catalog", "for programs, with the disk of a cache"),
    ]
    $0.options = [json] + everywhere
  }

  package static let help = CommandSpec("help", "show help, the man page, completions or the reference").with
  {
    $0.positionals = [.init("COMMAND", .command, 0...1, "the command to explain; none explains all")]
    $0.examples = [
      .init("preheat help run", "everything about one command"),
      .init("preheat help --man > preheat.1", "the man page"),
      .init("preheat help --completions bash > preheat.bash", "for your shell"),
    ]
    $0.options =
      [
        OptionSpec("man", "the man page, in roff").with { $0.isCommon = true },
        OptionSpec(
          "completions", .choices("SHELL", Shell.allCases.map(\.rawValue)), "a shell's completions"
        ).with {
          $0.detail = "One of \(Shell.allCases.map(\.rawValue).joined(separator: ", "))."
          $0.isCommon = true
        },
        OptionSpec("markdown", "the reference page, in Markdown").with { $0.isCommon = true },
      ] + everywhere
  }
}
