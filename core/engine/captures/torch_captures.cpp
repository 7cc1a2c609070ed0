#include "core/engine/captures/torch_captures.h"

#include <memory>
#include <sstream>
#include <string>

#include <c10/core/GradMode.h>

#include "core/engine/captures/memory_shortage.h"
#include "core/engine/captures/pinned_copy.h"
#include "core/engine/precision/convert.h"

namespace ulp::engine {
namespace {

std::string shownShape(const at::Tensor& tensor) {
  std::ostringstream text;
  text << tensor.sizes();
  return text.str();
}

Capture hostCapture(at::Tensor host) {
  const auto owner = std::make_shared<const at::Tensor>(std::move(host));
  return {{owner->const_data_ptr(), dtypeOf(owner->scalar_type()), owner->sizes().vec()}, owner};
}

class TorchDeviceTensor final : public DeviceTensor {
 public:
  explicit TorchDeviceTensor(at::Tensor tensor) : m_tensor(std::move(tensor)) {}

  [[nodiscard]] const at::Tensor& tensor() const { return m_tensor; }

  [[nodiscard]] Result<Capture> onHost() const override {
    at::Tensor host = ULP_TRY(hostTensor());
    return hostCapture(std::move(host));
  }

  [[nodiscard]] Result<> leaveDevice() override {
    m_tensor = ULP_TRY(hostTensor());
    return {};
  }

  [[nodiscard]] Result<Capture> withReversedBlocks(std::size_t blocks) const override {
    return onDevice("reversing the sequences of a tensor of shape " + shownShape(m_tensor), [&] {
      const c10::NoGradGuard noGrad;
      const auto rows = static_cast<std::int64_t>(blocks);
      return captureOf(
          m_tensor.view({rows, m_tensor.numel() / rows}).flip({0}).view(m_tensor.sizes()));
    });
  }

 private:
  [[nodiscard]] Result<at::Tensor> hostTensor() const {
    if (m_tensor.is_cpu()) {
      return m_tensor;
    }
    return onDevice("copying a tensor of shape " + shownShape(m_tensor) + " to the host",
                    [this] { return copyToHost(m_tensor); });
  }

  at::Tensor m_tensor;  ///< on a device until it leaves it
};

}  // namespace

Capture captureOf(const at::Tensor& tensor) {
  at::Tensor shown = tensor.detach().contiguous();
  if (shown.is_cpu()) {
    return hostCapture(std::move(shown));
  }
  const auto there = std::make_shared<TorchDeviceTensor>(std::move(shown));
  const at::Tensor& held = there->tensor();
  return {
      .view = {.data = nullptr, .dtype = dtypeOf(held.scalar_type()), .shape = held.sizes().vec()},
      .owner = there,
      .device = there};
}

at::Tensor tensorOf(const Capture& capture) {
  return capture.device == nullptr
             ? sharedTensor(capture.view, capture.owner)
             : static_cast<const TorchDeviceTensor&>(*capture.device).tensor();
}

Error deviceError(const c10::Error& error, std::string_view doing) {
  return {shortageOf(error) != Shortage::None ? ErrorCode::OutOfMemory : ErrorCode::Device,
          std::string(doing) + ": LibTorch: " + error.what_without_backtrace()};
}

}  // namespace ulp::engine
