#include "core/numerics/comparison/top_agreement.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "core/numerics/element_types.h"

namespace ulp::numerics {
namespace {

/// Position of the largest of `count` elements; nothing with a NaN among them. `at` gives them.
template <class At>
std::optional<std::size_t> largest(std::size_t count, At&& at) {
  std::size_t best = 0;
  auto most = at(std::size_t{0});
  bool hasNan = std::isnan(most);
  for (std::size_t i = 1; i < count; ++i) {
    const auto value = at(i);
    hasNan = hasNan || std::isnan(value);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return hasNan ? std::nullopt : std::optional(best);
}

std::optional<std::size_t> largestOfRow(const TensorView& tensor,
                                        std::size_t first,
                                        std::size_t count) {
  return withElementType(tensor.dtype, [&]<class Type>(Type) {
    constexpr std::size_t kSize = sizeof(typename Type::Stored);
    const auto* from = static_cast<const std::byte*>(tensor.data) + first * kSize;
    return largest(count, [from](std::size_t i) { return Type::read(from + i * kSize); });
  });
}

}  // namespace

Result<TopAgreement> topAgreement(const TensorView& a, const TensorView& b) {
  if (a.shape != b.shape || a.shape.empty() || a.shape.back() < 1) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("rows of shapes [{}] and [{}] cannot be compared",
                            fmt::join(a.shape, ", "),
                            fmt::join(b.shape, ", ")));
  }
  const auto width = static_cast<std::size_t>(a.shape.back());
  TopAgreement agreement;
  for (std::size_t first = 0; first < a.count(); first += width) {
    const auto ofA = largestOfRow(a, first, width);
    const auto ofB = largestOfRow(b, first, width);
    if (ofA && ofB) {
      ++agreement.rows;
      agreement.same += *ofA == *ofB ? 1 : 0;
    }
  }
  return agreement;
}

}  // namespace ulp::numerics
