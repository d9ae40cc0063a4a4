// The words of Foundation, Core Graphics and Core Image that generated code uses; nothing here does anything.
#pragma once
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define YES __objc_yes
#define NO __objc_no
#define nil ((id)0)
typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double CGFloat;
typedef struct __attribute__((objc_boxable)) CGSize { CGFloat width, height; } CGSize;
typedef struct __attribute__((objc_boxable)) CGRect { CGFloat x, y, width, height; } CGRect;
#define NS_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#define NS_OPTIONS(type, name) \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : type name; \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : type
typedef NS_ENUM(int, CGBlendMode) {
  kCGBlendModeNormal, kCGBlendModeMultiply, kCGBlendModeScreen, kCGBlendModeOverlay, kCGBlendModeDarken,
  kCGBlendModeLighten, kCGBlendModeColorDodge, kCGBlendModeColorBurn, kCGBlendModeSoftLight, kCGBlendModeHardLight,
  kCGBlendModeDifference, kCGBlendModeExclusion, kCGBlendModeHue, kCGBlendModeSaturation, kCGBlendModeColor,
  kCGBlendModeLuminosity, kCGBlendModeClear, kCGBlendModeCopy, kCGBlendModeSourceIn, kCGBlendModeSourceOut,
  kCGBlendModeSourceAtop, kCGBlendModeDestinationOver, kCGBlendModeDestinationIn, kCGBlendModeDestinationOut,
  kCGBlendModeDestinationAtop, kCGBlendModeXOR, kCGBlendModePlusDarker, kCGBlendModePlusLighter
};
CGSize CGSizeMake(CGFloat width, CGFloat height);
CGRect CGRectMake(CGFloat x, CGFloat y, CGFloat width, CGFloat height);

NS_ASSUME_NONNULL_BEGIN
@protocol NSObject
@end
@protocol NSCopying
@end
__attribute__((objc_root_class)) @interface NSObject <NSObject>
- (id)mutableCopy;
@end
@interface NSString : NSObject <NSCopying>
@end
@interface NSNumber : NSObject
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithDouble:(double)value;
+ (NSNumber *)numberWithInteger:(NSInteger)value;
+ (NSNumber *)numberWithUnsignedInteger:(NSUInteger)value;
+ (NSNumber *)numberWithLong:(long)value;
+ (NSNumber *)numberWithUnsignedLong:(unsigned long)value;
@end
@interface NSValue : NSObject
+ (NSValue *)valueWithBytes:(const void *)value objCType:(const char *)type;
@end
@interface NSArray<T> : NSObject
+ (instancetype)arrayWithObjects:(const T _Nonnull[_Nullable])objects count:(NSUInteger)count;
@end
@interface NSDictionary<K, V> : NSObject
+ (instancetype)dictionaryWithObjects:(const V _Nonnull[_Nullable])objects
                              forKeys:(const K<NSCopying> _Nonnull[_Nullable])keys
                                count:(NSUInteger)count;
- (nullable V)objectForKeyedSubscript:(K)key;
@end
@interface NSMutableDictionary<K, V> : NSDictionary <K, V>
- (void)setObject:(nullable V)value forKeyedSubscript:(K<NSCopying>)key;
@end
@interface NSURL : NSObject
@property(readonly) NSString *absoluteString;
+ (nullable instancetype)URLWithString:(NSString *)text;
@end
#if !TARGET_OS_WATCH
@interface CIFilter : NSObject
+ (nullable CIFilter *)filterWithName:(NSString *)name;
+ (nullable CIFilter *)filterWithName:(NSString *)name
                  withInputParameters:(nullable NSDictionary<NSString *, id> *)params;
@end
#endif
NS_ASSUME_NONNULL_END
