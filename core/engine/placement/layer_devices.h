#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <ATen/ATen.h>

namespace ulp::engine {

/// Where a parameter belongs, and how large it is.
struct ParameterSize {
  int layer = -1;  ///< -1: to none
  std::int64_t elements = 0;
};

/// The devices of a run: one, or several that have a network's layers in turn. What comes before
/// the layers is on the first, what follows them on the last.
class LayerDevices {
 public:
  /// All on one. Not explicit: a device is the devices of most runs.
  LayerDevices(const at::Device& device)  // NOLINT(google-explicit-constructor)
      : m_devices{device}, m_first(device), m_last(device) {}
  /// Shares `parameters`, in the order of the network, out in as many parts of about the same
  /// number of elements as there are devices, at least one: a layer goes where the middle of its
  /// elements lies among all.
  LayerDevices(const std::vector<at::Device>& devices,
               const std::vector<ParameterSize>& parameters);

  [[nodiscard]] const at::Device& first() const { return m_first; }
  [[nodiscard]] const at::Device& last() const { return m_last; }
  [[nodiscard]] const at::Device& ofLayer(std::int64_t layer) const;
  /// By its place among the parameters.
  [[nodiscard]] const at::Device& ofParameter(std::size_t index) const;
  /// Each once, the first one first.
  [[nodiscard]] const std::vector<at::Device>& all() const { return m_devices; }
  /// Those of all() that are CUDA devices.
  [[nodiscard]] std::vector<at::Device> cuda() const {
    std::vector<at::Device> found;
    std::ranges::copy_if(m_devices, std::back_inserter(found), &at::Device::is_cuda);
    return found;
  }
  [[nodiscard]] bool haveCuda() const { return !cuda().empty(); }
  /// What the CUDA devices have of something together where each counts as the one with the least
  /// of it, since they share out layers; 0 where there are none.
  template <class BytesOf>
  [[nodiscard]] std::uint64_t asOfTheLeast(const BytesOf& bytesOf) const {
    std::vector<std::uint64_t> bytes;
    std::ranges::transform(cuda(), std::back_inserter(bytes), bytesOf);
    return bytes.empty() ? 0 : std::ranges::min(bytes) * bytes.size();
  }
  /// "cuda:0", "cuda:0+cuda:1".
  [[nodiscard]] std::string str() const {
    std::string text;
    for (const at::Device& device : m_devices) {
      text += (text.empty() ? "" : "+") + device.str();
    }
    return text;
  }

 private:
  std::vector<at::Device> m_devices;
  at::Device m_first;
  at::Device m_last;
  std::vector<at::Device> m_layers;      ///< empty: all on one
  std::vector<at::Device> m_parameters;  ///< likewise
};

}  // namespace ulp::engine
