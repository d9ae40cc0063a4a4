extension OptionTable {
  /// Whose cache a folder is, where nothing beside it says so.
  static let cacheClient = client.with {
    $0.summary = "whose cache it is, as 'nuke 12' or 'kingfisher 8'"
    $0.detail = "Needed only where no state folder lies beside the cache."
    $0.defaultText = "what the ledger beside the cache says"
    $0.isCommon = false
  }

  package static let bundle = CommandSpec("bundle", "make a deterministic bundle of a cache").with {
    $0.detail = [
      "Writes the cache's files with an index of names, sizes, digests and expiry: a stored zip, which an app reads "
        + "without an archive library, a tar, or a folder. The same entries give the same bytes, wherever and "
        + "whenever. docs/bundle.md describes the format and the app's side of it."
    ]
    $0.positionals = [.init("DIR", .file, 1...1, "the cache folder")]
    $0.examples = [
      .init("preheat bundle out/catalog -o catalog.zip", "for an app to install"),
      .init("preheat bundle out/catalog -o catalog.tar.zst", "for a server to unpack"),
      .init("preheat bundle out/catalog -o d.zip --since catalog.zip", "only what has changed"),
    ]
    $0.options =
      [
        OptionSpec("output", short: "o", .text("PATH"), "where the bundle goes; its ending decides the form")
          .with {
            $0.detail = "catalog.zip, catalog.tar, catalog.tar.zst; anything else is a folder."
            $0.isCommon = true
          },
        OptionSpec("since", .text("PATH"), "leave out what this older bundle or index.json has").with {
          $0.isCommon = true
        },
        OptionSpec("max-size", .bytes("BYTES", 1...(1 << 50)), "most bytes of files in the bundle").with {
          $0.detail = "A larger cache is an error, or loses its least urgent entries with --drop."
          $0.isCommon = true
        },
        OptionSpec("drop", "leave the least urgent entries out to keep within --max-size").with {
          $0.isCommon = true
        },
        OptionSpec("limit", .bytes("BYTES", 1...(1 << 50)), "bytes that the app lets its cache take").with {
          $0.detail =
            "Counted as the client counts them: Nuke whole blocks of the device, Kingfisher content."
          $0.isCommon = true
        },
      ] + [run.option(named: "wait")].compactMap(\.self) + [cacheClient, json] + everywhere
  }
}
