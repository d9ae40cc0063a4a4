/// What people write instead of options and settings that went. They are unknown as any other word is.
package enum GoneWords {
  package static let advice = [
    "conditions": "see docs/caches.md",
    "download": "make a folder with -o, and pack it by Apple's ba-package",
    "failures": "run the same job again: what is up to date costs nothing",
    "form": "make a folder with -o, and pack it by Apple's ba-package",
    "log-format": "leave it out: lines have a priority where JOURNAL_STREAM leads to the journal",
    "partial": "leave it out; a job that prunes names everything in its cache",
  ]
}
