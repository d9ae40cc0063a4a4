/// What people write instead of options and settings that went. They are unknown as any other word is.
package enum GoneWords {
  package static let advice = [
    "conditions": "see docs/caches.md",
    "download": "make a folder with -o, and pack it by Apple's ba-package",
    "failures": "run the same job again: what is up to date costs nothing",
    "form": "make a folder with -o, and pack it by Apple's ba-package",
    "partial": "leave it out; a job that prunes names everything in its cache",
  ]
}
