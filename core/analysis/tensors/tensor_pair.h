#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/result.h"
#include "core/base/site.h"
#include "core/tensors/archive/tensor_archive.h"
#include "core/tensors/archive/tensor_parts.h"

namespace ulp::analysis {

/// The same tensor of the reference and of a variant, where it lies: elements are read when they
/// are needed and never copied as a whole. Immutable once made; copies share.
struct TensorPair {
  Site site;
  tensors::Tensor reference;
  tensors::Tensor variant;
  DType ulpFormat = DType::Float32;  ///< in which differences are counted in ULP
  std::uint64_t sampleStride = 1;  ///< above 1: every so many elements of the tensor, as a flat row
  std::vector<std::int64_t> fullShape;  ///< of the tensor that a sample was taken from

  /// Shape of the elements that are here: the tensor's, or the length of the sample.
  [[nodiscard]] const std::vector<std::int64_t>& shape() const { return reference.view.shape; }
  [[nodiscard]] std::size_t count() const { return reference.view.count(); }
  [[nodiscard]] bool isSample() const { return sampleStride > 1; }
  /// Gives the index in the whole tensor of element `flat` of those that are here.
  [[nodiscard]] std::vector<std::int64_t> fullIndex(std::int64_t flat) const;
  /// The element of what is here that lies there; nothing when there is none.
  [[nodiscard]] std::optional<std::int64_t> find(std::span<const std::int64_t> fullIndex) const;
};

using TensorPairPtr = std::shared_ptr<const TensorPair>;

/// Errors: InvalidArgument when the shapes, or the strides of two samples, differ.
[[nodiscard]] Result<TensorPairPtr> makeTensorPair(Site site,
                                                   tensors::Tensor reference,
                                                   tensors::Tensor variant,
                                                   std::uint64_t sampleStride = 1,
                                                   std::vector<std::int64_t> fullShape = {});

/// Elements of one of the tensors may lie on another machine: whoever reads some brings them first.
[[nodiscard]] inline bool hasParts(const TensorPair& pair) {
  return pair.reference.parts != nullptr || pair.variant.parts != nullptr;
}
/// Brings elements of both tensors to where they are read. Errors: those of TensorParts::bring().
[[nodiscard]] Result<> bring(const TensorPair& pair, const tensors::ElementGrid& wanted);
/// Whether elements of both can be read without waiting for another machine.
[[nodiscard]] bool isHere(const TensorPair& pair, const tensors::ElementGrid& wanted);
[[nodiscard]] inline bool isHere(const TensorPair& pair, std::int64_t flat) {
  return isHere(pair, tensors::ElementGrid{.first = flat});
}

/// Whether what was read of the pair may be believed; to be asked after reading. Error: CorruptData
/// when a file became shorter while it was open.
[[nodiscard]] Result<> checkIntact(const TensorPair& pair);

/// Keeps the memory small that a walk through mapped tensors takes: says which elements the walk
/// has read, and gives their pages back some 16 MiB at a time.
class PageTrail {
 public:
  explicit PageTrail(const TensorPair& pair) : m_pair(pair) {}
  ~PageTrail() { release(); }
  PageTrail(const PageTrail&) = delete;
  PageTrail& operator=(const PageTrail&) = delete;

  /// Elements `first` to `last`, both included, of both tensors were read.
  void passed(std::int64_t first, std::int64_t last);

 private:
  void release();

  static constexpr std::int64_t kElements = std::int64_t{4} << 20;

  const TensorPair& m_pair;
  std::int64_t m_first = 0;
  std::int64_t m_last = -1;
  std::int64_t m_since = 0;
};

/// What is looked at of a pair of elements: a of the reference, b of the variant.
enum class Quantity : std::uint8_t {
  Reference,
  Variant,
  Difference,          ///< b − a, as metrics have it (docs/metrics.md)
  AbsoluteDifference,  ///< |b − a|
  RelativeDifference,  ///< |b − a| / |a|; 0 where both are 0, undefined (NaN) where only a is
  Ulp                  ///< |b − a| in units of the last place of a, see numerics::ulpOf()
};

inline constexpr std::array kQuantities{Quantity::Reference,
                                        Quantity::Variant,
                                        Quantity::Difference,
                                        Quantity::AbsoluteDifference,
                                        Quantity::RelativeDifference,
                                        Quantity::Ulp};

/// Has values on both sides of zero, so that zero is a place of its own.
[[nodiscard]] constexpr bool isSigned(Quantity quantity) {
  return quantity <= Quantity::Difference;
}
/// Is an error: nothing below zero, and best looked at in decades.
[[nodiscard]] constexpr bool isError(Quantity quantity) {
  return quantity >= Quantity::AbsoluteDifference;
}

/// numerics::ulpOf() of one format for a great many values.
class UlpSpacing {
 public:
  explicit UlpSpacing(DType format);
  /// `value` is finite.
  [[nodiscard]] double at(double value) const;

 private:
  double m_least;
  double m_ofOne;
  bool m_isConstant;
};

/// Computes one quantity of pairs of elements.
class QuantityReader {
 public:
  QuantityReader(const TensorPair& pair, Quantity quantity)
      : m_pair(pair), m_quantity(quantity), m_spacing(pair.ulpFormat) {}

  /// Computes the quantity of elements `first`, `first + step`, … of both tensors, at most kBlock
  /// of them, which are here (bring()). A value is NaN or infinite where an element is, and NaN
  /// where the quantity is undefined; `nonFinite` tells the first (not 0) from the second.
  void read(std::int64_t first,
            std::int64_t step,
            std::span<double> values,
            std::span<std::uint8_t> nonFinite) const;
  /// Computes the quantity of one pair of elements.
  [[nodiscard]] double valueOf(double reference, double variant) const;

  static constexpr std::size_t kBlock = 4096;

 private:
  const TensorPair& m_pair;
  Quantity m_quantity;
  UlpSpacing m_spacing;
};

}  // namespace ulp::analysis
