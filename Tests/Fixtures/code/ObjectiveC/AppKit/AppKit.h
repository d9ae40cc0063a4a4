// The words of AppKit that SDWebImage's declarations need; nothing here does anything.
#pragma once
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN
@interface NSColor : NSObject
@end
@interface NSImage : NSObject
@end
@interface NSView : NSObject
@end
@interface NSImageView : NSView
@end
NS_ASSUME_NONNULL_END
