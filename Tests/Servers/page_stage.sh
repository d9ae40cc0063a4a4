#!/usr/bin/env bash
# The folder in which the commands of the pages run: what a reader has who comes to that page. It is the working folder;
# catalog.job and kingfisher.job of README.md are there already, preheat is in the PATH, page_server.py behind its proxy.
# Usage: page_stage.sh CHECKOUT
set -euo pipefail

cp -r "$1/jobs" .
cp "$1/jobs/urls.txt" "$1/jobs/feed.csv" .
mkdir App
echo '{"pins": [{"identity": "nuke", "kind": "remoteSourceControl", "location": "https://github.com/kean/Nuke",
  "state": {"revision": "a", "version": "12.9.0"}}], "version": 2}' | tee App/Package.resolved > Package.resolved
preheat plan --json jobs/catalog.job > before.ndjson
preheat run --quiet --signposts yesterday.ndjson catalog.job
preheat run --quiet --signposts run.ndjson catalog.job
preheat run --quiet --cache out/catalog catalog.job
echo https://img.example.com/p/1.jpg |
  preheat run --quiet --client 'nuke 12' --scale 3 --cache out/shard-1 --chain 'resize(width: 320)' -
echo https://img.example.com/p/2.jpg |
  preheat run --quiet --client 'nuke 12' --scale 3 --cache out/shard-2 --chain 'resize(width: 320)' -
# Of an older release than the app has.
echo https://img.example.com/p/1.jpg |
  preheat run --quiet --client 'kingfisher 7' --style builder --cache out/kf --chain 'blur(blurRadius: 4) | blackWhite' -
# What an app asked for: three times everything that the job names, once from memory, and a picture that no line names.
preheat plan --json catalog.job | grep '"rendition"' |
  sed -E 's/.*"source":"([^"]*)".*"key":"([^"]*)","file".*/{"v":1,"type":"request","key":"\2","url":"\1","found":"none"}/' > once.ndjson
{
  cat once.ndjson once.ndjson once.ndjson
  head -1 once.ndjson | sed 's/"none"/"memory"/'
  echo '{"v":1,"type":"request","key":"https://img.example.com/p/7.jpg","found":"none"}'
} > requests.ndjson
sed -nE 's/.*"key":"(https:[^"]*)".*/\1/p' once.ndjson > keys.txt
openssl genpkey -algorithm ed25519 -out catalog.key.pem
openssl pkey -in catalog.key.pem -pubout -out catalog.pub.pem
preheat bundle --quiet out/com.example.catalog -o catalog.zip
preheat bundle --quiet out/com.example.catalog -o signed.zip --sign catalog.key.pem --counter 1
cp catalog.zip catalog-1.zip
cp catalog.zip 1.zip
# What a shop publishes as XML.
cat > sitemap.xml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:pic="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>https://shop.example/1</loc>
    <pic:image><pic:loc> https://img.example.com/p/31.jpg?a=1&amp;b=2 </pic:loc></pic:image>
    <pic:image><pic:loc><![CDATA[https://img.example.com/p/32.jpg]]></pic:loc></pic:image></url>
  <url><loc>https://shop.example/2</loc></url>
</urlset>
END
cat > merchant.xml <<'END'
<?xml version="1.0"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title>
  <item><g:id>A "1"</g:id><g:image_link>https://img.example.com/p/33.jpg</g:image_link></item>
  <item><g:id>B2</g:id><g:image_link>https://img.example.com/p/34.jpg</g:image_link></item>
</channel></rss>
END
