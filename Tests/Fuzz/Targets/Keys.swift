import ClientKit

extension FuzzTarget {
  /// Keys and file names: client and scale, a URL, an id and a chain.
  static let keys = FuzzTarget(name: "keys") { bytes in
    var feed = Feed(bytes)
    let client = clients[Int(feed.byte()) % clients.count]
    let scale = [1, 2, 3, 2.625][Int(feed.byte()) % 4]
    let url = feed.text()
    var options = RequestOptions()
    let id = feed.text()
    if !id.isEmpty { options.imageID = id }
    guard let syntax = parsed(Array(feed.text().utf8)), let chain = read(syntax, client).chain,
      client.unsupportedReason(chain) == nil
    else { return }
    let form = client.form(of: chain, scale: scale)
    try hold(form == client.form(of: chain, scale: scale), "a chain has one form at a scale")
    if !form.dependsOnScale {
      let other = client.form(of: chain, scale: scale + 1)
      try hold(
        other.suffix == form.suffix && other.drawing == form.drawing, "it does not depend on the scale")
    }
    let base = client.baseKey(url: url, options: options, stripQuery: [])
    try hold(id.isEmpty || base.contains(id), "an id is part of the key: \(base)")
    let storage = client.storage(of: chain, form: form, sourceClass: 0, options: options)
    let suffixes = storage.entries.map(\.key) + storage.lookups
    for suffix in suffixes + [form.suffix] {
      let key = client.key(base: base, suffix)
      guard client.fault(ofKey: key, base: base) == nil else { continue }
      for name in client.fileNames(forKey: key) {
        try hold(isOneName(name), "a key's file lies in the cache folder: \(name)")
        try hold(client.isName(name, ofKey: nil), "a key's file has the form of names: \(name)")
        try hold(client.isName(name, ofKey: key), "a key's file has its name: \(name)")
      }
    }
    let coded = (name: "card", chain: chain, scales: [scale], hasIDs: !id.isEmpty, options: options)
    try hold(client.code(coded) == client.code(coded), "the app's code is the same every time")
  }
}
