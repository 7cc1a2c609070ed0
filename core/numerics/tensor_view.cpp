#include "core/numerics/tensor_view.h"

#include <functional>
#include <numeric>

#include "core/numerics/element_types.h"

namespace ulp::numerics {

std::size_t TensorView::count() const {
  return std::accumulate(
      shape.begin(), shape.end(), std::size_t{1}, [](std::size_t n, std::int64_t d) {
        return n * static_cast<std::size_t>(d);
      });
}

double elementAt(const TensorView& tensor, std::size_t flat) {
  return withElementType(tensor.dtype, [&]<class Type>(Type) -> double {
    return Type::read(static_cast<const std::byte*>(tensor.data) +
                      flat * sizeof(typename Type::Stored));
  });
}

void readElements(const TensorView& tensor,
                  std::int64_t first,
                  std::int64_t step,
                  std::span<double> elements) {
  withElementType(tensor.dtype, [&]<class Type>(Type) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(typename Type::Stored));
    const std::byte* from = static_cast<const std::byte*>(tensor.data) + first * kSize;
    if (step == 1) {  // a loop of its own, which the compiler vectorises
      for (std::size_t i = 0; i < elements.size(); ++i) {
        elements[i] = Type::read(from + i * sizeof(typename Type::Stored));
      }
      return;
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = Type::read(from + static_cast<std::int64_t>(i) * step * kSize);
    }
  });
}

std::vector<std::int64_t> unravel(std::size_t flat, std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[i]);
    index[i] = static_cast<std::int64_t>(flat % size);
    flat /= size;
  }
  return index;
}

}  // namespace ulp::numerics
