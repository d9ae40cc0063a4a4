// The words of SDWebImage 5 that generated code uses; nothing here does anything.
#pragma once
#import <UIKit/UIKit.h>

NS_ASSUME_NONNULL_BEGIN
typedef NSString *SDWebImageContextOption;
typedef NSDictionary<SDWebImageContextOption, id> SDWebImageContext;
typedef NSMutableDictionary<SDWebImageContextOption, id> SDWebImageMutableContext;
extern SDWebImageContextOption const SDWebImageContextImageThumbnailPixelSize;
extern SDWebImageContextOption const SDWebImageContextImagePreserveAspectRatio;
extern SDWebImageContextOption const SDWebImageContextImageTransformer;
extern SDWebImageContextOption const SDWebImageContextImageScaleFactor;
extern SDWebImageContextOption const SDWebImageContextStoreCacheType;
extern SDWebImageContextOption const SDWebImageContextOriginalStoreCacheType;
extern SDWebImageContextOption const SDWebImageContextOriginalQueryCacheType;
extern SDWebImageContextOption const SDWebImageContextCacheKeyFilter;
typedef enum SDImageCacheType : NSInteger {
  SDImageCacheTypeNone, SDImageCacheTypeDisk, SDImageCacheTypeMemory, SDImageCacheTypeAll
} SDImageCacheType;
typedef enum SDImageScaleMode : NSUInteger {
  SDImageScaleModeFill, SDImageScaleModeAspectFit, SDImageScaleModeAspectFill
} SDImageScaleMode;
typedef enum __attribute__((flag_enum)) SDRectCorner : NSUInteger {
  SDRectCornerTopLeft = 1, SDRectCornerTopRight = 2, SDRectCornerBottomLeft = 4, SDRectCornerBottomRight = 8,
  SDRectCornerAllCorners = ~0UL
} SDRectCorner;

@protocol SDImageTransformer
@end
@interface SDWebImageCacheKeyFilter : NSObject
+ (instancetype)cacheKeyFilterWithBlock:(NSString *_Nullable (^)(NSURL *url))block;
@end
@interface SDImagePipelineTransformer : NSObject <SDImageTransformer>
+ (instancetype)transformerWithTransformers:(NSArray<id<SDImageTransformer>> *)transformers;
@end
@interface SDImageResizingTransformer : NSObject <SDImageTransformer>
+ (instancetype)transformerWithSize:(CGSize)size scaleMode:(SDImageScaleMode)scaleMode;
@end
@interface SDImageCroppingTransformer : NSObject <SDImageTransformer>
+ (instancetype)transformerWithRect:(CGRect)rect;
@end
@interface SDImageRoundCornerTransformer : NSObject <SDImageTransformer>
+ (instancetype)transformerWithRadius:(CGFloat)radius
                              corners:(SDRectCorner)corners
                          borderWidth:(CGFloat)width
                          borderColor:(nullable UIColor *)color;
@end
@interface SDImageFlippingTransformer : NSObject <SDImageTransformer>
+ (instancetype)transformerWithHorizontal:(BOOL)horizontal vertical:(BOOL)vertical;
@end
@interface SDImageRotationTransformer : NSObject <SDImageTransformer>
+ (instancetype)transformerWithAngle:(CGFloat)angle fitSize:(BOOL)fitSize;
@end
@interface SDImageTintTransformer : NSObject <SDImageTransformer>
+ (instancetype)transformerWithColor:(UIColor *)color;
+ (instancetype)transformerWithColor:(UIColor *)color blendMode:(CGBlendMode)mode;
@end
@interface SDImageBlurTransformer : NSObject <SDImageTransformer>
+ (instancetype)transformerWithRadius:(CGFloat)radius;
@end
@interface SDImageFilterTransformer : NSObject <SDImageTransformer>
+ (instancetype)transformerWithFilter:(CIFilter *)filter;
@end
@interface UIImageView (WebCache)
- (void)sd_setImageWithURL:(nullable NSURL *)url
          placeholderImage:(nullable UIImage *)placeholder
                   options:(NSUInteger)options
                   context:(nullable SDWebImageContext *)context;
@end
NS_ASSUME_NONNULL_END
