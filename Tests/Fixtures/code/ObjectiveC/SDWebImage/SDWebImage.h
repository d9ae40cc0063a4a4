// The declarations of SDWebImage 5 that generated code uses, as its headers publish them on each platform; what a platform
// or a release lacks is not here. `SDWEBIMAGE` is the release as a number, the newest unless told otherwise.
#pragma once
#ifndef SDWEBIMAGE
#define SDWEBIMAGE 52105
#endif
#define SD_MAC TARGET_OS_OSX
#define SD_WATCH TARGET_OS_WATCH
#define SD_UIKIT (TARGET_OS_IOS || TARGET_OS_TV || TARGET_OS_VISION)
#if SD_MAC
#import <AppKit/AppKit.h>
#define UIColor NSColor
#define UIImage NSImage
#define UIView NSView
#define UIImageView NSImageView
#else
#import <UIKit/UIKit.h>
#endif
#define FOUNDATION_EXPORT extern

typedef NSString *SDWebImageContextOption;
typedef NSDictionary<SDWebImageContextOption, id> SDWebImageContext;
typedef NSMutableDictionary<SDWebImageContextOption, id> SDWebImageMutableContext;
FOUNDATION_EXPORT SDWebImageContextOption _Nonnull const SDWebImageContextImageTransformer;
FOUNDATION_EXPORT SDWebImageContextOption _Nonnull const SDWebImageContextImageScaleFactor;
FOUNDATION_EXPORT SDWebImageContextOption _Nonnull const SDWebImageContextStoreCacheType;
FOUNDATION_EXPORT SDWebImageContextOption _Nonnull const SDWebImageContextCacheKeyFilter;
#if SDWEBIMAGE >= 50100
FOUNDATION_EXPORT SDWebImageContextOption _Nonnull const SDWebImageContextOriginalStoreCacheType;
#endif
#if SDWEBIMAGE >= 50500
FOUNDATION_EXPORT SDWebImageContextOption _Nonnull const SDWebImageContextImagePreserveAspectRatio;
FOUNDATION_EXPORT SDWebImageContextOption _Nonnull const SDWebImageContextImageThumbnailPixelSize;
#endif
#if SDWEBIMAGE >= 50700
FOUNDATION_EXPORT SDWebImageContextOption _Nonnull const SDWebImageContextQueryCacheType;
#endif
#if SDWEBIMAGE >= 50800
FOUNDATION_EXPORT SDWebImageContextOption _Nonnull const SDWebImageContextOriginalQueryCacheType;
#endif
typedef NS_OPTIONS(NSUInteger, SDWebImageOptions) {
  SDWebImageRetryFailed = 1 << 0, SDWebImageLowPriority = 1 << 1, SDWebImageProgressiveLoad = 1 << 2,
  SDWebImageRefreshCached = 1 << 3, SDWebImageContinueInBackground = 1 << 4, SDWebImageHandleCookies = 1 << 5,
  SDWebImageAllowInvalidSSLCertificates = 1 << 6, SDWebImageHighPriority = 1 << 7,
  SDWebImageDelayPlaceholder = 1 << 8, SDWebImageTransformAnimatedImage = 1 << 9,
  SDWebImageAvoidAutoSetImage = 1 << 10, SDWebImageScaleDownLargeImages = 1 << 11,
  SDWebImageQueryMemoryData = 1 << 12, SDWebImageQueryMemoryDataSync = 1 << 13,
  SDWebImageQueryDiskDataSync = 1 << 14, SDWebImageFromCacheOnly = 1 << 15, SDWebImageFromLoaderOnly = 1 << 16
};
typedef NS_ENUM(NSInteger, SDImageCacheType) {
  SDImageCacheTypeNone, SDImageCacheTypeDisk, SDImageCacheTypeMemory, SDImageCacheTypeAll
};
typedef NS_ENUM(NSUInteger, SDImageScaleMode) {
  SDImageScaleModeFill = 0, SDImageScaleModeAspectFit = 1, SDImageScaleModeAspectFill = 2
};
#if SD_UIKIT || SD_WATCH
typedef UIRectCorner SDRectCorner;
#else
typedef NS_OPTIONS(NSUInteger, SDRectCorner) {
  SDRectCornerTopLeft = 1 << 0, SDRectCornerTopRight = 1 << 1, SDRectCornerBottomLeft = 1 << 2,
  SDRectCornerBottomRight = 1 << 3, SDRectCornerAllCorners = ~0UL
};
#endif

typedef NSString *_Nullable (^SDWebImageCacheKeyFilterBlock)(NSURL *_Nonnull url);
@protocol SDWebImageCacheKeyFilter <NSObject>
- (nullable NSString *)cacheKeyForURL:(nonnull NSURL *)url;
@end
@interface SDWebImageCacheKeyFilter : NSObject <SDWebImageCacheKeyFilter>
- (nonnull instancetype)initWithBlock:(nonnull SDWebImageCacheKeyFilterBlock)block;
+ (nonnull instancetype)cacheKeyFilterWithBlock:(nonnull SDWebImageCacheKeyFilterBlock)block;
@end

@protocol SDImageTransformer <NSObject>
@required
@property (nonatomic, copy, readonly, nonnull) NSString *transformerKey;
- (nullable UIImage *)transformedImageWithImage:(nonnull UIImage *)image forKey:(nonnull NSString *)key;
@optional
#if SDWEBIMAGE >= 51901
@property (nonatomic, assign, readonly) BOOL preserveImageMetadata;
#endif
@end
@interface SDImagePipelineTransformer : NSObject <SDImageTransformer>
+ (nonnull instancetype)transformerWithTransformers:(nonnull NSArray<id<SDImageTransformer>> *)transformers;
@end
#if SDWEBIMAGE >= 52100
@interface SDImageBaseTransformer : NSObject <SDImageTransformer>
@end
#define SD_TRANSFORMER SDImageBaseTransformer
#else
#define SD_TRANSFORMER NSObject <SDImageTransformer>
#endif
@interface SDImageRoundCornerTransformer : SD_TRANSFORMER
+ (nonnull instancetype)transformerWithRadius:(CGFloat)cornerRadius
                                      corners:(SDRectCorner)corners
                                  borderWidth:(CGFloat)borderWidth
                                  borderColor:(nullable UIColor *)borderColor;
@end
@interface SDImageResizingTransformer : SD_TRANSFORMER
+ (nonnull instancetype)transformerWithSize:(CGSize)size scaleMode:(SDImageScaleMode)scaleMode;
@end
@interface SDImageCroppingTransformer : SD_TRANSFORMER
+ (nonnull instancetype)transformerWithRect:(CGRect)rect;
@end
@interface SDImageFlippingTransformer : SD_TRANSFORMER
+ (nonnull instancetype)transformerWithHorizontal:(BOOL)horizontal vertical:(BOOL)vertical;
@end
@interface SDImageRotationTransformer : SD_TRANSFORMER
+ (nonnull instancetype)transformerWithAngle:(CGFloat)angle fitSize:(BOOL)fitSize;
@end
@interface SDImageTintTransformer : SD_TRANSFORMER
+ (nonnull instancetype)transformerWithColor:(nonnull UIColor *)tintColor;
#if SDWEBIMAGE >= 52000
+ (nonnull instancetype)transformerWithColor:(nonnull UIColor *)tintColor blendMode:(CGBlendMode)blendMode;
#endif
@end
@interface SDImageBlurTransformer : SD_TRANSFORMER
+ (nonnull instancetype)transformerWithRadius:(CGFloat)blurRadius;
@end
#if SD_UIKIT || SD_MAC
@interface SDImageFilterTransformer : SD_TRANSFORMER
+ (nonnull instancetype)transformerWithFilter:(nonnull CIFilter *)filter;
@end
@interface UIImageView (WebCache)
- (void)sd_setImageWithURL:(nullable NSURL *)url
          placeholderImage:(nullable UIImage *)placeholder
                   options:(SDWebImageOptions)options
                   context:(nullable SDWebImageContext *)context;
@end
#endif
