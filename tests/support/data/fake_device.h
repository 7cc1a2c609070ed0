#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/engine.h"

/// A device that is played by host memory, which only its own comparer reads: whoever else wants
/// elements has to ask for a copy, and copies are counted and fail when they are told to.
namespace ulp::test {

struct FakeDevice {
  /// Bytes of captures that it can keep.
  std::uint64_t room = std::numeric_limits<std::uint64_t>::max();
  /// Error of the n-th copy to the host, from 0; the next one succeeds.
  std::optional<std::pair<std::uint64_t, Error>> copyError;

  std::uint64_t copiesToHost = 0;
  std::uint64_t bytesToHost = 0;
  std::uint64_t copiesToDevice = 0;
  std::uint64_t comparisons = 0;
  std::uint64_t underWay = 0;  ///< comparisons that were started and are not waited for yet
  std::uint64_t mostUnderWay = 0;
  /// Error of the n-th comparison that was started, from 0, when it is waited for.
  std::optional<std::pair<std::uint64_t, Error>> comparisonError;
  std::uint64_t liveBytes = 0;  ///< of tensors that lie there
};

class FakeDeviceTensor final : public engine::DeviceTensor {
 public:
  FakeDeviceTensor(std::shared_ptr<FakeDevice> device, engine::Capture elements)
      : m_device(std::move(device)), m_elements(std::move(elements)) {
    m_device->liveBytes += m_elements.view.sizeBytes();
  }
  FakeDeviceTensor(const FakeDeviceTensor&) = delete;
  FakeDeviceTensor& operator=(const FakeDeviceTensor&) = delete;
  ~FakeDeviceTensor() override { forget(); }

  [[nodiscard]] Result<engine::Capture> onHost() const override {
    if (!m_isThere) {
      return m_elements;
    }
    FakeDevice& device = *m_device;
    if (device.copyError && device.copyError->first == device.copiesToHost) {
      return tl::unexpected(std::exchange(device.copyError, std::nullopt)->second);
    }
    ++device.copiesToHost;
    device.bytesToHost += m_elements.view.sizeBytes();
    return copied(0);
  }
  [[nodiscard]] Result<> leaveDevice() override {
    m_elements = ULP_TRY(onHost());
    forget();
    return {};
  }
  [[nodiscard]] Result<engine::Capture> withReversedBlocks(std::size_t blocks) const override;

  /// Where its elements are compared; counts one that has left the device as brought back.
  [[nodiscard]] const numerics::TensorView& elements() const {
    m_device->copiesToDevice += m_isThere ? 0 : 1;
    return m_elements.view;
  }

 private:
  /// The elements in memory of their own, in `blocks` blocks from the last to the first; 0: as they
  /// are.
  [[nodiscard]] engine::Capture copied(std::size_t blocks) const {
    const auto bytes = m_elements.view.bytes();
    const auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    const std::size_t size = blocks == 0 ? 0 : bytes.size() / blocks;
    for (std::size_t i = 0; i < blocks; ++i) {
      std::memcpy(copy->data() + i * size, bytes.data() + (blocks - 1 - i) * size, size);
    }
    engine::Capture capture{.view = m_elements.view, .owner = copy};
    capture.view.data = copy->data();
    return capture;
  }
  void forget() {
    m_device->liveBytes -= std::exchange(m_isThere, false) ? m_elements.view.sizeBytes() : 0;
  }

  std::shared_ptr<FakeDevice> m_device;
  engine::Capture m_elements;
  bool m_isThere = true;
};

/// A capture of the host as a run on the device would show it.
inline engine::Capture onFakeDevice(const std::shared_ptr<FakeDevice>& device,
                                    engine::Capture onHost) {
  const auto there = std::make_shared<FakeDeviceTensor>(device, onHost);
  return {.view = {.data = nullptr, .dtype = onHost.view.dtype, .shape = onHost.view.shape},
          .owner = there,
          .again = std::move(onHost.again),
          .device = there};
}

inline Result<engine::Capture> FakeDeviceTensor::withReversedBlocks(std::size_t blocks) const {
  return onFakeDevice(m_device, copied(blocks));
}

/// Compares captures of the device there, those of the host with each other on the host.
class FakeCaptureComparer final : public engine::CaptureComparer {
 public:
  FakeCaptureComparer(std::shared_ptr<FakeDevice> device,
                      const numerics::CompareOptions& options,
                      std::string problem = {})
      : m_device(std::move(device)), m_comparer(options), m_problem(std::move(problem)) {}

  [[nodiscard]] Result<> accumulate(numerics::Moments& total,
                                    const engine::Capture& reference,
                                    const engine::Capture& candidate) override {
    m_device->comparisons += candidate.device == nullptr ? 0 : 1;
    return m_comparer.accumulate(
        total, elements(reference, candidate), elements(candidate, candidate));
  }
  /// Elements are read no sooner than the comparison is waited for.
  [[nodiscard]] Result<std::unique_ptr<engine::StartedComparison>> start(
      const engine::Capture& reference, const engine::Capture& candidate) override {
    auto comparison = ULP_TRY(engine::CaptureComparer::start(reference, candidate));
    std::optional<Error> error;
    if (m_device->comparisonError && m_device->comparisonError->first-- == 0) {
      error = std::exchange(m_device->comparisonError, std::nullopt)->second;
    }
    return std::make_unique<UnderWay>(m_device, std::move(comparison), std::move(error));
  }
  [[nodiscard]] Result<numerics::TopAgreement> topAgreement(
      const engine::Capture& reference, const engine::Capture& candidate) override {
    return numerics::topAgreement(elements(reference, candidate), elements(candidate, candidate));
  }
  [[nodiscard]] std::string problem() const override { return m_problem; }
  [[nodiscard]] Result<std::uint64_t> roomOnDevice() const override { return m_device->room; }

 private:
  class UnderWay final : public engine::StartedComparison {
   public:
    UnderWay(std::shared_ptr<FakeDevice> device,
             std::unique_ptr<engine::StartedComparison> comparison,
             std::optional<Error> error)
        : m_device(std::move(device)),
          m_comparison(std::move(comparison)),
          m_error(std::move(error)) {
      m_device->mostUnderWay = std::max(m_device->mostUnderWay, ++m_device->underWay);
    }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;
    ~UnderWay() override { --m_device->underWay; }
    [[nodiscard]] Result<> addTo(numerics::Moments& total) override {
      return m_error ? Result<>(tl::unexpected(*m_error)) : m_comparison->addTo(total);
    }

   private:
    std::shared_ptr<FakeDevice> m_device;
    std::unique_ptr<engine::StartedComparison> m_comparison;
    std::optional<Error> m_error;
  };

  [[nodiscard]] const numerics::TensorView& elements(const engine::Capture& capture,
                                                     const engine::Capture& candidate) const {
    if (capture.device != nullptr) {
      return static_cast<const FakeDeviceTensor&>(*capture.device).elements();
    }
    m_device->copiesToDevice += candidate.device == nullptr ? 0 : 1;
    return capture.view;
  }

  std::shared_ptr<FakeDevice> m_device;
  numerics::Comparer m_comparer;
  std::string m_problem;
};

}  // namespace ulp::test
