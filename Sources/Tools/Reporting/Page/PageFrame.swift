/// What every page begins and ends with.
enum PageFrame {
  /// - Parameters:
  ///   - title: Escaped.
  ///   - scripts: Which scripts may run, as a content security policy says it.
  ///   - body: The elements of the page.
  static func html(title: String, scripts: String = "'none'", body: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(ReportPage.policy(scripts: scripts))">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>\(title) – Preheat</title>
    <style>\(PageStyle.text)</style>
    </head>
    <body>
    \(body)
    </body>
    </html>

    """
  }
}
