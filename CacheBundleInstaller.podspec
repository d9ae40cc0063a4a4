# The installer for apps with CocoaPods, as one module: the imports of its own parts go, and these see each other as the
# targets of a package do.
Pod::Spec.new do |spec|
  spec.name = 'CacheBundleInstaller'
  spec.version = '0.1.0'
  spec.summary = 'Installs a bundle of a warmed image cache before the first request.'
  spec.homepage = 'https://github.com/OWNER/preheat'
  spec.license = { type: 'MIT', file: 'LICENSE' }
  spec.author = 'The Preheat authors'
  spec.source = { git: 'https://github.com/OWNER/preheat.git', tag: "v#{spec.version}" }
  spec.swift_version = '6.0'
  spec.ios.deployment_target = '13.0'
  spec.osx.deployment_target = '10.15'
  spec.tvos.deployment_target = '13.0'
  spec.watchos.deployment_target = '6.0'
  spec.visionos.deployment_target = '1.0'
  spec.source_files = 'Sources/App/CacheBundleInstaller/**/*.swift',
                      'Sources/Support/{Concurrency,Digests,FileStore,Text}/**/*.swift'
  spec.prepare_command = <<~'SH'
    find Sources -name '*.swift' -exec perl -ni -e 'print unless /^import (Concurrency|Digests|FileStore|Text)$/' {} +
  SH
  spec.pod_target_xcconfig = { 'OTHER_SWIFT_FLAGS' => '$(inherited) -package-name preheat' }
end
