#include "core/engine/precision/simulated_format.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <utility>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/variable.h>

#include "core/engine/precision/torch_team.h"

namespace ulp::engine {
namespace {

using numerics::NumberFormat;
using numerics::QuantizeOptions;

/// Elements that one thread takes at a time.
constexpr std::int64_t kElementsAtATime = std::int64_t{1} << 15;

/// A contiguous matrix whose rows are given to threads as a whole.
struct Extent {
  std::int64_t rows = 0;
  std::int64_t columns = 1;
};

/// Hands chunks of rows to the threads of LibTorch; `body` must not throw.
template <class Body>
void forEachChunk(const Extent& extent, const Body& body) {
  const std::int64_t columns = std::max<std::int64_t>(1, extent.columns);
  const std::int64_t step = std::max<std::int64_t>(1, kElementsAtATime / columns);
  if (extent.rows <= step) {
    body(std::int64_t{0}, extent.rows);
    return;
  }
  std::atomic<std::int64_t> next = 0;
  TorchTeam().run([&] {
    for (std::int64_t begin = next.fetch_add(step); begin < extent.rows;
         begin = next.fetch_add(step)) {
      body(begin, std::min(extent.rows, begin + step));
    }
  });
}

template <class T>
T largestFinite(const T* values, std::int64_t count) {
  std::atomic<T> largest = 0;
  forEachChunk({.rows = count}, [&](std::int64_t begin, std::int64_t end) {
    const T found =
        numerics::largestFinite(std::span(values + begin, static_cast<std::size_t>(end - begin)));
    T known = largest.load();
    while (known < found && !largest.compare_exchange_weak(known, found)) {
    }
  });
  return largest;
}

template <class T>
void quantizeOnHost(const at::Tensor& in, const at::Tensor& out, QuantizeOptions options) {
  const T* from = in.const_data_ptr<T>();
  T* to = out.mutable_data_ptr<T>();
  Extent extent{in.size(0), in.size(1)};
  if (options.format == NumberFormat::Nvfp4) {
    options.tensorScale = numerics::nvfp4TensorScale(largestFinite(from, in.numel()));
  }
  options.rowLength = static_cast<std::size_t>(extent.columns);
  const std::int64_t block = numerics::describe(options.format).blockSize;
  if (extent.columns % block == 0) {
    // No block is cut off: where a row ends makes no difference.
    options.rowLength = 0;
    extent = {in.numel() / block, block};
  }
  forEachChunk(extent, [&](std::int64_t begin, std::int64_t end) {
    QuantizeOptions part = options;
    part.firstIndex = static_cast<std::uint64_t>(begin * extent.columns);
    const auto count = static_cast<std::size_t>((end - begin) * extent.columns);
    numerics::quantize(std::span(from + begin * extent.columns, count),
                       std::span(to + begin * extent.columns, count),
                       part);
  });
}

at::Tensor quantizeMatrix(const at::Tensor& values, const QuantizeOptions& options) {
  if (!values.is_cpu()) {
    return quantizeByOperations(values, options);
  }
  at::Tensor rounded = at::empty_like(values);
  if (values.scalar_type() == at::kDouble) {
    quantizeOnHost<double>(values, rounded, options);
  } else {
    quantizeOnHost<float>(values, rounded, options);
  }
  return rounded;
}

/// The gradient of a tensor that is rounded on its way forward: the same, rounded or not.
class RoundedGradient final : public torch::autograd::Node {
 public:
  explicit RoundedGradient(std::optional<Quantization> quantization)
      : m_quantization(quantization) {}

  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    if (m_quantization && gradients.front().defined()) {
      return {quantize(gradients.front(), *m_quantization)};
    }
    return std::move(gradients);
  }

 private:
  std::optional<Quantization> m_quantization;
};

}  // namespace

at::Tensor quantize(const at::Tensor& x, const Quantization& quantization) {
  TORCH_CHECK(x.is_floating_point() && x.element_size() > 1,
              "numbers of type ",
              x.scalar_type(),
              " cannot be rounded to ",
              numerics::toString(quantization.format));
  const QuantizeOptions options{quantization.format, quantization.rounding};
  const at::ScalarType carrier = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  at::Tensor values = x.detach().to(carrier);
  if (values.numel() == 0) {
    return at::empty_like(x);
  }
  if (values.dim() == 0 || !numerics::describe(quantization.format).isBlockScaled()) {
    return quantizeMatrix(values.contiguous().view({-1, 1}), options)
        .view(x.sizes())
        .to(x.scalar_type());
  }
  values = values.movedim(quantization.blockDimension, -1).contiguous();
  return quantizeMatrix(values.view({-1, values.size(-1)}), options)
      .view(values.sizes())
      .movedim(-1, quantization.blockDimension)
      .contiguous()
      .to(x.scalar_type());
}

at::Tensor quantizeStraightThrough(const at::Tensor& x, const StraightThrough& formats) {
  if (!formats.forward && !formats.backward) {
    return x;
  }
  at::Tensor y = formats.forward ? quantize(x, *formats.forward) : x.variable_data();
  if (at::GradMode::is_enabled() && x.requires_grad()) {
    const std::shared_ptr<torch::autograd::Node> node(new RoundedGradient(formats.backward),
                                                      torch::autograd::deleteNode);
    node->set_next_edges(torch::autograd::collect_next_edges(x));
    torch::autograd::set_history(y, node);
  }
  return y;
}

}  // namespace ulp::engine
