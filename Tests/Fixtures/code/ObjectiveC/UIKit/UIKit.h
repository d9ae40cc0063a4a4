// The words of UIKit that generated code uses; nothing here does anything.
#pragma once
#import <Foundation/Foundation.h>

#if TARGET_OS_OSX
#error "macOS has no UIKit"
#endif
NS_ASSUME_NONNULL_BEGIN
typedef NS_OPTIONS(NSUInteger, UIRectCorner) {
  UIRectCornerTopLeft = 1 << 0, UIRectCornerTopRight = 1 << 1, UIRectCornerBottomLeft = 1 << 2,
  UIRectCornerBottomRight = 1 << 3, UIRectCornerAllCorners = ~0UL
};
@interface UIColor : NSObject
+ (UIColor *)colorWithRed:(CGFloat)red green:(CGFloat)green blue:(CGFloat)blue alpha:(CGFloat)alpha;
@end
@interface UIImage : NSObject
@end
#if !TARGET_OS_WATCH
@interface UIView : NSObject
@end
@interface UIImageView : UIView
@end
#endif
NS_ASSUME_NONNULL_END
