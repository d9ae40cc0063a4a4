/// What people write instead of options and settings that went. They are unknown as any other word is.
package enum GoneWords {
  package static let advice = [
    "conditions": "see docs/caches.md",
    "connections": "write per-host N into the job",
    "download": "make a folder with -o, and pack it by Apple's ba-package",
    "failures": "run the same job again: what is up to date costs nothing",
    "form": "make a folder with -o, and pack it by Apple's ba-package",
    "log-format": "leave it out: lines have a priority where JOURNAL_STREAM leads to the journal",
    "max-animation-pixels": "write it into the job: max-animation-pixels 500000000",
    "max-side": "write it into the job: max-side 20000",
    "noproxy": "set the variable no_proxy",
    "original-query-cache-type": "write it into the job: original-query-cache-type none",
    "original-store-cache-type": "write it into the job: original-store-cache-type none",
    "partial": "leave it out; a job that prunes names everything in its cache",
    "store-cache-type": "write it into the job: store-cache-type disk",
    "transform-animated": "write it into the job: transform-animated frames",
    "webp-coder": "write it into the job: webp-coder on",
  ]
}
