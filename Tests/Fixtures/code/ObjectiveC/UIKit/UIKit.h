// The words of UIKit that generated code uses; nothing here does anything.
#pragma once
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN
typedef enum CGBlendMode : int { kCGBlendModeNormal, kCGBlendModeMultiply, kCGBlendModeXOR } CGBlendMode;
@interface UIColor : NSObject
+ (UIColor *)colorWithRed:(CGFloat)red green:(CGFloat)green blue:(CGFloat)blue alpha:(CGFloat)alpha;
@end
@interface UIImage : NSObject
@end
@interface UIImageView : NSObject
@end
@interface CIFilter : NSObject
+ (nullable CIFilter *)filterWithName:(NSString *)name;
@end
NS_ASSUME_NONNULL_END
