#include "core/engine/captures/torch_capture_comparer.h"

#include <algorithm>
#include <string>
#include <utility>

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/engine/captures/pinned_copy.h"
#include "core/engine/captures/torch_captures.h"
#include "core/engine/captures/torch_memory.h"
#include "core/engine/device_comparer.h"
#include "core/engine/precision/convert.h"

namespace ulp::engine {
namespace {

/// The largest element of each row and its place, the first where there are several; NaN in a row
/// with a NaN.
struct Tops {
  at::Tensor values;
  at::Tensor places;
};

Tops topsOf(const at::Tensor& tensor) {
  auto [values, places] = tensor.reshape({-1, tensor.size(-1)}).max(1);
  return {std::move(values), std::move(places)};
}

class ComparisonOnDevice final : public StartedComparison {
 public:
  ComparisonOnDevice(at::Tensor reference,
                     at::Tensor candidate,
                     std::unique_ptr<PendingComparison> pending)
      : m_reference(std::move(reference)),
        m_candidate(std::move(candidate)),
        m_pending(std::move(pending)) {}

  [[nodiscard]] Result<> addTo(numerics::Moments& total) override {
    return m_pending->addTo(total);
  }

 private:
  at::Tensor m_reference;
  at::Tensor m_candidate;
  std::unique_ptr<PendingComparison> m_pending;  ///< destroyed first, which waits for the device
};

class TorchCaptureComparer final : public CaptureComparer {
 public:
  TorchCaptureComparer(const LayerDevices& devices, const numerics::CompareOptions& options)
      : m_devices(devices), m_options(options), m_onHost(options) {
    if (devices.haveCuda()) {
      if (auto made = proven(devices)) {
        m_onDevice = std::move(*made);
      } else {
        m_problem = made.error().message();
      }
    }
  }

  [[nodiscard]] Result<> accumulate(numerics::Moments& total,
                                    const Capture& reference,
                                    const Capture& candidate) override {
    if (!isForDevice(reference, candidate)) {
      const Capture left = ULP_TRY(reference.onHost());
      const Capture right = ULP_TRY(candidate.onHost());
      return m_onHost.accumulate(total, left.view, right.view);
    }
    const auto started = ULP_TRY(startOnDevice(reference, candidate));
    return started->addTo(total);
  }

  [[nodiscard]] Result<std::unique_ptr<StartedComparison>> start(
      const Capture& reference, const Capture& candidate) override {
    return isForDevice(reference, candidate) ? startOnDevice(reference, candidate)
                                             : CaptureComparer::start(reference, candidate);
  }

  [[nodiscard]] Result<numerics::TopAgreement> topAgreement(const Capture& reference,
                                                            const Capture& candidate) override {
    const bool hasRows = reference.view.shape == candidate.view.shape &&
                         reference.view.count() > 0 && !reference.view.shape.empty();
    if (!hasRows || !isForDevice(reference, candidate)) {
      const Capture left = ULP_TRY(reference.onHost());
      const Capture right = ULP_TRY(candidate.onHost());
      return numerics::topAgreement(left.view, right.view);
    }
    const at::Device device = placeOf(candidate);
    const at::Tensor left = ULP_TRY(brought(reference, device));
    const at::Tensor right = ULP_TRY(brought(candidate, device));
    return onDevice("finding the most likely tokens", [&] {
      const c10::NoGradGuard noGrad;
      const Tops a = topsOf(left);
      const Tops b = topsOf(right);
      const at::Tensor counted = a.values.isnan().logical_or_(b.values.isnan()).logical_not_();
      const at::Tensor same = a.places.eq(b.places).logical_and_(counted);
      const at::Tensor counts = at::stack({counted.sum(), same.sum()}).cpu();
      const auto* const numbers = counts.const_data_ptr<std::int64_t>();
      return numerics::TopAgreement{.rows = static_cast<std::uint64_t>(numbers[0]),
                                    .same = static_cast<std::uint64_t>(numbers[1])};
    });
  }

  [[nodiscard]] std::string problem() const override { return m_problem; }

  /// Of what LibTorch has or could get, all but what a run needs at its peak and a tenth for what
  /// is torn by other sizes. That peak holds captures as well, so that the rest is rather less than
  /// there is.
  [[nodiscard]] Result<std::uint64_t> roomOnDevice() const override {
    if (m_onDevice == nullptr) {
      return 0;
    }
    return onDevice("asking for free memory", [this] { return m_devices.asOfTheLeast(roomOn); });
  }

 private:
  [[nodiscard]] static Result<std::unique_ptr<DeviceComparer>> proven(const LayerDevices& devices) {
    auto comparer = ULP_TRY(makeDeviceComparer(torchMemory()));
    for (const at::Device& device : devices.cuda()) {
      ULP_TRY(comparer->prove(device.index()));
    }
    return comparer;
  }
  [[nodiscard]] static std::uint64_t roomOn(const at::Device& device) {
    c10::DeviceAllocator* allocator = at::getDeviceAllocator(device.type());
    const auto stats = allocator->getDeviceStats(device.index());
    const std::size_t free = allocator->getMemoryInfo(device.index()).first;
    const std::uint64_t all =
        free + static_cast<std::uint64_t>(stats.reserved_bytes.front().current);
    const auto peak = static_cast<std::uint64_t>(stats.allocated_bytes.front().peak);
    const std::uint64_t usable = all - all / 10;
    return usable - std::min(usable, peak);
  }
  [[nodiscard]] bool isForDevice(const Capture& reference, const Capture& candidate) const {
    const auto isRead = [](DType type) {
      return type == DType::Float64 || type == DType::Float32 || type == DType::Float16 ||
             type == DType::BFloat16;
    };
    return m_onDevice != nullptr && candidate.device != nullptr && isRead(reference.view.dtype) &&
           isRead(candidate.view.dtype);
  }

  [[nodiscard]] Result<std::unique_ptr<StartedComparison>> startOnDevice(const Capture& reference,
                                                                         const Capture& candidate) {
    ULP_TRY(numerics::checkSameShape(reference.view, candidate.view));
    const at::Device device = placeOf(candidate);
    at::Tensor left = ULP_TRY(brought(reference, device));
    at::Tensor right = ULP_TRY(brought(candidate, device));
    const auto stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device);
    auto pending = ULP_TRY(m_onDevice->start({.reference = left.const_data_ptr(),
                                              .referenceDType = reference.view.dtype,
                                              .candidate = right.const_data_ptr(),
                                              .candidateDType = candidate.view.dtype,
                                              .count = candidate.view.count(),
                                              .device = device.index(),
                                              .stream = stream.native_handle()},
                                             m_options));
    return std::make_unique<ComparisonOnDevice>(
        std::move(left), std::move(right), std::move(pending));
  }

  /// The CUDA device where a capture that isForDevice() lies, or the first where it has left that.
  [[nodiscard]] at::Device placeOf(const Capture& candidate) const {
    const at::Tensor tensor = tensorOf(candidate);
    return tensor.is_cuda() ? tensor.device() : m_devices.cuda().front();
  }

  /// The elements on the device.
  [[nodiscard]] static Result<at::Tensor> brought(const Capture& capture,
                                                  const at::Device& device) {
    const at::Tensor tensor = tensorOf(capture);
    return onDevice("copying a tensor to the device", [&] { return broughtTo(tensor, device); });
  }

  LayerDevices m_devices;
  numerics::CompareOptions m_options;
  numerics::Comparer m_onHost;
  std::unique_ptr<DeviceComparer> m_onDevice;  ///< null: comparisons are made on the host
  std::string m_problem;                       ///< why they are, of a CUDA device
};

}  // namespace

std::unique_ptr<CaptureComparer> makeCaptureComparer(const LayerDevices& devices,
                                                     const numerics::CompareOptions& options) {
  return std::make_unique<TorchCaptureComparer>(devices, options);
}

}  // namespace ulp::engine
