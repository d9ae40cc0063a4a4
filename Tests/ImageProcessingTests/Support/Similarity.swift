@testable import ImageProcessing

/// The structural similarity of two pictures of one size (Wang, Bovik, Sheikh and Simoncelli, 2004): the mean of
/// windows of 8 x 8 pixels, every fourth one, of their luma. 1 for the same, 0 for nothing in common.
func similarity(_ a: Raster, _ b: Raster) -> Double {
  guard a.width == b.width, a.height == b.height else { return 0 }
  let (first, second) = (luma(a), luma(b))
  var (sum, count) = (0.0, 0.0)
  for top in stride(from: 0, through: max(a.height - 8, 0), by: 4) {
    for left in stride(from: 0, through: max(a.width - 8, 0), by: 4) {
      sum += window(first, second, left, top, min(8, a.width), min(8, a.height), a.width)
      count += 1
    }
  }
  return sum / count
}

/// How many levels the samples of two pictures are apart on average; 255 for pictures of different sizes.
func meanDifference(_ a: Raster, _ b: Raster) -> Double {
  guard a.width == b.width, a.height == b.height, a.bands == b.bands else { return 255 }
  let samples = a.samples
  let sum = zip(samples, b.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
  return Double(sum) / Double(samples.count)
}

private func luma(_ image: Raster) -> [Double] {
  let (bands, samples) = (image.bands, image.samples)
  return (0..<image.width * image.height).map { pixel in
    let at = pixel * bands
    guard bands >= 3 else { return Double(samples[at]) }
    return 0.299 * Double(samples[at]) + 0.587 * Double(samples[at + 1]) + 0.114 * Double(samples[at + 2])
  }
}

private func window(
  _ a: [Double], _ b: [Double], _ left: Int, _ top: Int, _ width: Int, _ height: Int, _ stride: Int
) -> Double {
  var (sumA, sumB, squareA, squareB, both) = (0.0, 0.0, 0.0, 0.0, 0.0)
  for y in top..<top + height {
    for x in left..<left + width {
      let (p, q) = (a[y * stride + x], b[y * stride + x])
      sumA += p
      sumB += q
      squareA += p * p
      squareB += q * q
      both += p * q
    }
  }
  let count = Double(width * height)
  let (meanA, meanB) = (sumA / count, sumB / count)
  let (varianceA, varianceB) = (squareA / count - meanA * meanA, squareB / count - meanB * meanB)
  let covariance = both / count - meanA * meanB
  let (c1, c2) = (6.5025, 58.5225)  // (0.01 x 255) and (0.03 x 255), squared
  return (2 * meanA * meanB + c1) * (2 * covariance + c2)
    / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
}
