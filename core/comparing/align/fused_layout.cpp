#include "core/comparing/align/fused_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ulp::analysis {
namespace {

constexpr std::int64_t kMostFusedGroups = 1024;
constexpr std::size_t kMostSamples = 16;

/// Of shapes that a dump claims, which may be beyond any number: those wrap around.
std::int64_t productOf(std::span<const std::int64_t> shape) {
  std::uint64_t product = 1;
  for (const std::int64_t extent : shape) {
    product *= static_cast<std::uint64_t>(extent);
  }
  return static_cast<std::int64_t>(product);
}

std::optional<FusedCut> cutAt(std::span<const std::int64_t> whole,
                              std::span<const std::vector<std::int64_t>> parts,
                              std::size_t dim) {
  FusedCut cut{.dim = dim};
  const auto behind = static_cast<std::ptrdiff_t>(whole.size() - dim);
  std::int64_t sum = 0;
  for (const std::vector<std::int64_t>& part : parts) {
    if (std::ssize(part) < behind) {
      return std::nullopt;
    }
    const std::int64_t size = *(part.end() - behind);
    const bool isSameBehind =
        std::equal(part.end() - behind + 1, part.end(), whole.end() - behind + 1);
    if (!isSameBehind || size <= 0 || whole[dim] <= 0 ||
        productOf(part) / size != productOf(whole) / whole[dim]) {
      return std::nullopt;
    }
    cut.sizes.push_back(size);
    sum += size;
  }
  return sum == whole[dim] ? std::optional(std::move(cut)) : std::nullopt;
}

/// A line along the dimension that is cut: a place in the ones before it, and in those behind it.
struct Line {
  std::size_t outer;
  std::size_t inner;  ///< of `stride`
  std::size_t stride;

  [[nodiscard]] std::size_t at(std::size_t size, std::size_t place) const {
    return (outer * size + place) * stride + inner;
  }
};

/// Sum of squares of what a part differs from its places in the whole, on one line.
double errorOn(const Line& line,
               const numerics::TensorView& whole,
               std::size_t wholeSize,
               const numerics::TensorView& part,
               std::span<const dumps::Run> runs) {
  const std::int64_t width = std::accumulate(
      runs.begin(), runs.end(), std::int64_t{0}, [](std::int64_t sum, const dumps::Run& run) {
        return sum + run.count;
      });
  double error = 0;
  std::size_t at = 0;
  for (const dumps::Run& run : runs) {
    for (std::int64_t i = run.first; i < run.first + run.count; ++i, ++at) {
      const double difference =
          numerics::elementAt(whole, line.at(wholeSize, static_cast<std::size_t>(i))) -
          numerics::elementAt(part, line.at(static_cast<std::size_t>(width), at));
      error += std::isfinite(difference) ? difference * difference : 0;
    }
  }
  return error;
}

}  // namespace

std::optional<FusedCut> findCut(std::span<const std::int64_t> whole,
                                std::span<const std::vector<std::int64_t>> parts,
                                std::optional<std::int64_t> wanted,
                                bool isFromFront) {
  if (wanted) {
    const std::size_t dim = dumps::placeOfDimension(*wanted, whole.size());
    return dim == dumps::kNone ? std::nullopt : cutAt(whole, parts, dim);
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (auto cut = cutAt(whole, parts, isFromFront ? i : whole.size() - 1 - i)) {
      return cut;
    }
  }
  return std::nullopt;
}

std::vector<dumps::Run> runsOf(const FusedCut& cut, std::size_t part, std::int64_t groups) {
  const std::int64_t whole =
      std::accumulate(cut.sizes.begin(), cut.sizes.end(), std::int64_t{0}) / groups;
  const auto before = static_cast<std::ptrdiff_t>(part);
  const std::int64_t first =
      std::accumulate(cut.sizes.begin(), cut.sizes.begin() + before, std::int64_t{0}) / groups;
  std::vector<dumps::Run> runs;
  for (std::int64_t group = 0; group < groups; ++group) {
    runs.push_back({group * whole + first, cut.sizes[part] / groups});
  }
  return runs;
}

std::vector<std::int64_t> possibleGroups(const FusedCut& cut) {
  const std::int64_t common = std::accumulate(
      cut.sizes.begin(), cut.sizes.end(), std::int64_t{0}, [](std::int64_t a, std::int64_t b) {
        return std::gcd(a, b);
      });
  std::vector<std::int64_t> groups;
  for (std::int64_t count = 1; count <= std::min(common, kMostFusedGroups); ++count) {
    if (common % count == 0) {
      groups.push_back(count);
    }
  }
  return groups;
}

std::vector<double> layoutErrors(const numerics::TensorView& whole,
                                 std::span<const numerics::TensorView> parts,
                                 const FusedCut& cut,
                                 std::span<const std::int64_t> groups) {
  const auto size = static_cast<std::size_t>(whole.shape[cut.dim]);
  const auto stride =
      static_cast<std::size_t>(productOf(std::span(whole.shape).subspan(cut.dim + 1)));
  const std::size_t lines = size == 0 ? 0 : whole.count() / size;
  const std::size_t samples = std::min(lines, kMostSamples);
  std::vector<double> errors(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::vector<dumps::Run> runs = runsOf(cut, part, groups[g]);
      for (std::size_t sample = 0; sample < samples; ++sample) {
        const std::size_t place = sample * lines / samples;
        errors[g] +=
            errorOn({place / stride, place % stride, stride}, whole, size, parts[part], runs);
      }
    }
  }
  return errors;
}

std::int64_t bestGroups(std::span<const std::int64_t> groups, std::span<const double> errors) {
  // An error of a quarter is half of the size.
  constexpr double kClearly = 0.25;
  const auto best = std::ranges::min_element(errors);
  return best != errors.end() && *best < kClearly * errors.front()
             ? groups[static_cast<std::size_t>(best - errors.begin())]
             : 1;
}

}  // namespace ulp::analysis
