/// A colour by the constructor that made it. In Kingfisher this names `UIColor` or `NSColor`.
public typealias KFCrossPlatformColor = BuiltInProcessor.Color
