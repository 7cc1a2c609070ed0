#include "core/analysis/tensors/measured_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/remote/captures/host_numbers.h"
#include "core/tensors/archive/tensor_parts.h"

namespace ulp::analysis {
namespace {

using numerics::Moments;
using remote::Numbers;

/// Elements whose reading starts before the first of them is needed, in pieces.
constexpr std::size_t kAheadPieces = 8;

/// Calls `each` for every number of what was measured, but for the lists.
template <class Measured, class Each>
void visitNumbers(Measured& measured, const Each& each) {
  auto& [moments, shares] = measured;
  for (auto* count : {&moments.count,
                      &moments.compared,
                      &moments.equal,
                      &moments.reference.nan,
                      &moments.reference.positiveInfinity,
                      &moments.reference.negativeInfinity,
                      &moments.candidate.nan,
                      &moments.candidate.positiveInfinity,
                      &moments.candidate.negativeInfinity,
                      &shares.compared,
                      &shares.withinThousandth,
                      &shares.withinFiveThousandths}) {
    each(*count);
  }
  for (auto* sum : {&moments.sumSquaredReference,
                    &moments.sumSquaredCandidate,
                    &moments.sumProduct,
                    &moments.sumSquaredDifference,
                    &moments.sumAbsoluteDifference,
                    &moments.maxAbsoluteDifference,
                    &moments.maxRelativeDifference,
                    &moments.sumUlp,
                    &moments.maxUlp}) {
    each(*sum);
  }
}

Numbers numbersOf(const MeasuredPair& measured) {
  Numbers numbers;
  visitNumbers(measured, [&](auto number) { numbers.add(number); });
  const auto& bins = measured.moments.differenceHistogram;
  numbers.add(std::uint64_t{bins.size()});
  numbers.add(std::uint64_t{bins.size() - static_cast<std::size_t>(std::ranges::count(bins, 0U))});
  for (std::size_t bin = 0; bin < bins.size(); ++bin) {
    if (bins[bin] != 0) {
      numbers.add(std::uint64_t{bin});
      numbers.add(bins[bin]);
    }
  }
  numbers.add(std::uint64_t{measured.moments.worst.size()});
  for (const numerics::WorstElement& element : measured.moments.worst) {
    numbers.add(element.flat);
    numbers.add(element.reference);
    numbers.add(element.candidate);
  }
  return numbers;
}

Result<MeasuredPair> measuredIn(Numbers numbers) {
  MeasuredPair measured;
  visitNumbers(measured, [&](auto& number) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(number)>, double>) {
      number = numbers.real();
    } else {
      number = numbers.whole();
    }
  });
  const std::uint64_t bins = numbers.whole();
  if (bins != 0 && bins != numerics::kHistogramBins) {
    return fail(ErrorCode::CorruptData, "a host counts differences in other bins");
  }
  measured.moments.differenceHistogram.resize(static_cast<std::size_t>(bins));
  for (std::size_t left = numbers.count(); left > 0; --left) {
    const std::uint64_t bin = numbers.whole();
    const std::uint64_t count = numbers.whole();
    if (bin < bins) {
      measured.moments.differenceHistogram[static_cast<std::size_t>(bin)] = count;
    }
  }
  for (std::size_t left = numbers.count(); left > 0; --left) {
    const std::uint64_t flat = numbers.whole();
    const double reference = numbers.real();
    measured.moments.worst.push_back({flat, reference, numbers.real()});
  }
  ULP_TRY(numbers.checkWhole());
  return measured;
}

/// Counts 64-bit integers that float64 rounds to the same number.
std::uint64_t roundedAlike(const numerics::TensorView& a, const numerics::TensorView& b) {
  std::uint64_t alike = 0;
  if (a.dtype != DType::Int64 || b.dtype != DType::Int64) {
    return alike;
  }
  constexpr std::size_t kSize = sizeof(std::int64_t);
  for (std::size_t i = 0; i < a.count(); ++i) {
    std::int64_t left = 0;
    std::int64_t right = 0;
    std::memcpy(&left, static_cast<const std::byte*>(a.data) + i * kSize, kSize);
    std::memcpy(&right, static_cast<const std::byte*>(b.data) + i * kSize, kSize);
    alike += left != right && static_cast<double>(left) == static_cast<double>(right) ? 1 : 0;
  }
  return alike;
}

/// What brings the squares of all elements into float64's range; 1: they are there.
double scaleOf(const Moments& moments) {
  const double squares = moments.sumSquaredReference + moments.sumSquaredCandidate;
  if (!std::isfinite(squares) || !std::isfinite(moments.sumSquaredDifference)) {
    return 0x1p-600;
  }
  return squares == 0 && moments.maxAbsoluteDifference > 0 ? 0x1p600 : 1;
}

}  // namespace

numerics::TensorView pieceOf(const numerics::TensorView& tensor,
                             std::size_t first,
                             std::size_t count) {
  return {static_cast<const std::byte*>(tensor.data) + (first * itemSize(tensor.dtype)),
          tensor.dtype,
          {static_cast<std::int64_t>(count)}};
}

Result<MeasuredPair> measure(const tensors::Tensor& reference,
                             const tensors::Tensor& candidate,
                             numerics::Comparer& comparer,
                             const MeasureOptions& options,
                             const std::stop_token& stop) {
  ULP_TRY(numerics::checkSameShape(reference.view, candidate.view));
  const std::array both{&reference, &candidate};
  const json::Object question{
      {"what", "measure"}, {"worst", options.worstCount}, {"shares", options.hasShares}};
  auto there = ULP_TRY(remote::numbersThere(both, question, stop));
  if (there) {
    return measuredIn(std::move(*there));
  }
  MeasuredPair measured;
  const Moments& moments = measured.moments;
  const std::size_t all = reference.view.count();
  std::size_t first = 0;
  do {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped while comparing");
    }
    const std::size_t count = std::min(options.pieceElements, all - first);
    const numerics::TensorView a = pieceOf(reference.view, first, count);
    const numerics::TensorView b = pieceOf(candidate.view, first, count);
    const std::uint64_t equalBefore = moments.equal;
    const std::uint64_t comparedBefore = moments.compared;
    ULP_TRY(comparer.accumulate(measured.moments, a, b));
    measured.moments.equal -= roundedAlike(a, b);
    const bool isEqual =
        moments.equal - equalBefore == count && moments.compared - comparedBefore == count;
    if (options.hasShares && isEqual) {
      measured.shares.add({count, count, count});  // as counting them would have it
    } else if (options.hasShares) {
      numerics::addRelativeShares(measured.shares, a, b);
    }
    for (const tensors::Tensor* tensor : both) {
      tensors::giveBack(*tensor, first, count);
      tensors::readAhead(*tensor, first + kAheadPieces * options.pieceElements, count);
    }
    first += count;
  } while (first < all);
  return measured;
}

Result<std::optional<Moments>> measureScaled(const tensors::Tensor& reference,
                                             const tensors::Tensor& candidate,
                                             numerics::Comparer& comparer,
                                             const Moments& moments,
                                             const std::stop_token& stop) {
  const double scale = scaleOf(moments);
  if (scale == 1) {
    return std::nullopt;
  }
  ULP_TRY(tensors::bringAll(reference));
  ULP_TRY(tensors::bringAll(candidate));
  Moments scaled;
  std::vector<double> left(numerics::Comparer::kChunkElements);
  std::vector<double> right(left.size());
  const std::size_t all = reference.view.count();
  for (std::size_t first = 0; first < all; first += left.size()) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped while comparing");
    }
    const std::size_t count = std::min(left.size(), all - first);
    const auto read = [&](const numerics::TensorView& tensor, std::vector<double>& values) {
      numerics::readElements(
          tensor, static_cast<std::int64_t>(first), 1, std::span(values).first(count));
      std::ranges::for_each(values, [scale](double& value) { value *= scale; });
      return numerics::TensorView{
          values.data(), DType::Float64, {static_cast<std::int64_t>(count)}};
    };
    ULP_TRY(comparer.accumulate(scaled, read(reference.view, left), read(candidate.view, right)));
  }
  return scaled;
}

Result<Numbers> answerMeasure(const json::Value& question,
                              std::span<const tensors::Tensor> tensors,
                              const std::stop_token& stop) {
  constexpr std::size_t kMostWorst = 100'000;
  const auto worst = static_cast<std::size_t>(question.at("worst").integer());
  if (tensors.size() != 2 || worst > kMostWorst) {
    return fail(ErrorCode::Unsupported, "measure: not of two tensors, or too many elements");
  }
  numerics::Comparer comparer({.worstCount = worst});
  const auto measured =
      ULP_TRY(measure(tensors[0],
                      tensors[1],
                      comparer,
                      {.worstCount = worst, .hasShares = question.at("shares").boolean()},
                      stop));
  return numbersOf(measured);
}

}  // namespace ulp::analysis
