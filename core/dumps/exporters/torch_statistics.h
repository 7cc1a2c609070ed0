#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "core/dumps/model/dump.h"
#include "core/numerics/tensor_view.h"

namespace ulp::dumps {

/// Max, min, mean and norm as msprobe 26.x writes them: numbers of JSON with Python's words for
/// what is none ("NaN", "-Infinity", "true", "null").
using StatisticTexts = std::array<std::string, 4>;

/// The numbers of a tensor whose elements come one piece after the other, by msprobe's rules: in
/// the tensor's own type, mean and norm of floating types up to float32 alone; of truth values
/// whether any and whether all are true; of a scalar four times itself; of float8 and of nothing
/// none. A NaN makes all four NaN, as it does in torch. Sums are float64 and rounded once, where
/// torch adds up in float32: they may differ from it in the last places.
class TorchStatistics {
 public:
  /// Of a tensor of this type and shape.
  explicit TorchStatistics(const numerics::TensorView& tensor)
      : m_dtype(tensor.dtype), m_isScalar(tensor.shape.empty()) {}

  /// The next elements, whole ones.
  void add(std::span<const std::byte> elements);
  [[nodiscard]] StatisticTexts texts() const;
  /// The same as numbers, mean and norm of any floating type and not rounded. Empty where there are
  /// none.
  [[nodiscard]] Statistics numbers() const;

 private:
  struct Reals {
    double max = -std::numeric_limits<double>::infinity();
    double min = std::numeric_limits<double>::infinity();
    double sum = 0;
    double squares = 0;
    bool hasNan = false;

    void add(double value);
  };

  void addBools(std::span<const std::byte> elements);
  void addIntegers(const numerics::TensorView& elements);
  void addReals(const numerics::TensorView& elements);
  [[nodiscard]] StatisticTexts textsOfReals() const;

  DType m_dtype;
  bool m_isScalar;
  std::size_t m_count = 0;
  bool m_isAnyTrue = false;
  bool m_isAllTrue = true;
  std::int64_t m_largest = std::numeric_limits<std::int64_t>::min();
  std::int64_t m_smallest = std::numeric_limits<std::int64_t>::max();
  Reals m_reals;
};

/// A number that torch computes of a tensor of this type, in the type that it has then: up to
/// float32 the tensor's own.
[[nodiscard]] double roundedTo(DType dtype, double value);

/// Of numbers that were recorded; `dtype` is the tensor's.
[[nodiscard]] StatisticTexts statisticTexts(const Statistics& recorded, std::string_view dtype);

}  // namespace ulp::dumps
