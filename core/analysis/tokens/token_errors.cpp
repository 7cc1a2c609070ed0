#include "core/analysis/tokens/token_errors.h"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>
#include <utility>

#include "core/analysis/tensors/measured_pair.h"
#include "core/remote/captures/host_numbers.h"

namespace ulp::analysis {
namespace {

using numerics::TensorView;

Result<> checkPair(const TensorView& reference, const TensorView& variant) {
  if (reference.shape != variant.shape) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("shapes [{}] and [{}] differ",
                            fmt::join(reference.shape, ", "),
                            fmt::join(variant.shape, ", ")));
  }
  if (reference.shape.size() < 2) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("shape [{}] has no dimension of tokens", fmt::join(reference.shape, ", ")));
  }
  return {};
}

Result<> add(PartErrors& errors,
             const TensorView& reference,
             const TensorView& variant,
             const numerics::Metric& metric,
             numerics::Comparer& comparer) {
  numerics::Moments moments = ULP_TRY(comparer.compare(reference, variant));
  errors.values.push_back(metric.value(moments));
  errors.nonFinite.push_back(moments.candidate.total());
  return {};
}

/// The channels [first, first + size) of every token, one token after the other.
class HeadGatherer {
 public:
  HeadGatherer(const TensorView& tensor, std::size_t size)
      : m_tensor(tensor),
        m_channels(static_cast<std::size_t>(tensor.shape.back())),
        m_size(size),
        m_buffer(tensor.count() / m_channels * size * itemSize(tensor.dtype)) {}

  TensorView gather(std::size_t first) {
    const std::size_t item = itemSize(m_tensor.dtype);
    const std::span<const std::byte> from = m_tensor.bytes();
    std::size_t to = 0;
    for (std::size_t at = first * item; at < from.size(); at += m_channels * item) {
      std::memcpy(m_buffer.data() + to, from.data() + at, m_size * item);
      to += m_size * item;
    }
    return {.data = m_buffer.data(),
            .dtype = m_tensor.dtype,
            .shape = {static_cast<std::int64_t>(m_buffer.size() / item)}};
  }

 private:
  const TensorView& m_tensor;
  std::size_t m_channels;
  std::size_t m_size;
  std::vector<std::byte> m_buffer;
};

/// What answerPartErrors() says.
Result<PartErrors> partErrorsIn(remote::Numbers numbers) {
  PartErrors errors;
  for (std::size_t left = numbers.count(); left > 0; --left) {
    errors.values.push_back(numbers.real());
    errors.nonFinite.push_back(numbers.whole());
  }
  ULP_TRY(numbers.checkWhole());
  return errors;
}

}  // namespace

Result<PartErrors> tokenErrors(const TensorView& reference,
                               const TensorView& variant,
                               const numerics::Metric& metric,
                               numerics::Comparer& comparer,
                               const std::stop_token& stop) {
  ULP_TRY(checkPair(reference, variant));
  PartErrors errors;
  const auto channels = static_cast<std::size_t>(reference.shape.back());
  for (std::size_t first = 0; channels > 0 && first < reference.count(); first += channels) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    const TensorView token = pieceOf(reference, first, channels);
    ULP_TRY(add(errors, token, pieceOf(variant, first, channels), metric, comparer));
  }
  return errors;
}

Result<PartErrors> headErrors(const TensorView& reference,
                              const TensorView& variant,
                              std::int64_t headSize,
                              const numerics::Metric& metric,
                              numerics::Comparer& comparer,
                              const std::stop_token& stop) {
  ULP_TRY(checkPair(reference, variant));
  const std::int64_t channels = reference.shape.back();
  if (headSize <= 0 || channels <= 0 || channels % headSize != 0) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} channels are no whole number of heads of {}", channels, headSize));
  }
  const auto size = static_cast<std::size_t>(headSize);
  HeadGatherer references(reference, size);
  HeadGatherer variants(variant, size);
  PartErrors errors;
  for (std::size_t first = 0; first < static_cast<std::size_t>(channels); first += size) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    const TensorView head = references.gather(first);
    ULP_TRY(add(errors, head, variants.gather(first), metric, comparer));
  }
  return errors;
}

Result<PartErrors> partErrors(const tensors::Tensor& reference,
                              const tensors::Tensor& variant,
                              std::int64_t headSize,
                              const numerics::Metric& metric,
                              numerics::Comparer& comparer,
                              const std::stop_token& stop) {
  ULP_TRY(checkPair(reference.view, variant.view));
  const std::array both{&reference, &variant};
  const json::Object question{
      {"what", "part_errors"}, {"head_size", headSize}, {"metric", metric.id}};
  auto there = ULP_TRY(remote::numbersThere(both, question, stop));
  if (there) {
    return partErrorsIn(std::move(*there));
  }
  auto errors = headSize == 0
                    ? tokenErrors(reference.view, variant.view, metric, comparer, stop)
                    : headErrors(reference.view, variant.view, headSize, metric, comparer, stop);
  for (const tensors::Tensor* side : both) {
    ULP_TRY(tensors::checkIntact(*side));
  }
  return errors;
}

Result<remote::Numbers> answerPartErrors(const json::Value& question,
                                         std::span<const tensors::Tensor> tensors,
                                         const std::stop_token& stop) {
  const numerics::MetricRegistry metrics = numerics::builtinMetrics();
  const auto metric = metrics.indexOf(question.at("metric").text());
  if (tensors.size() != 2 || !metric || metrics.all()[*metric].value == nullptr) {
    return fail(ErrorCode::Unsupported, "part errors: not of two tensors, or of another metric");
  }
  numerics::Comparer comparer({.worstCount = 0, .threads = 1});
  const auto errors = ULP_TRY(partErrors(tensors[0],
                                         tensors[1],
                                         question.at("head_size").integer(),
                                         metrics.all()[*metric],
                                         comparer,
                                         stop));
  remote::Numbers numbers;
  numbers.add(std::uint64_t{errors.values.size()});
  for (std::size_t i = 0; i < errors.values.size(); ++i) {
    numbers.add(errors.values[i]);
    numbers.add(errors.nonFinite[i]);
  }
  return numbers;
}

}  // namespace ulp::analysis
