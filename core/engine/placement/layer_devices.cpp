#include "core/engine/placement/layer_devices.h"

#include <algorithm>

namespace ulp::engine {
namespace {

/// Which elements of a network are a layer's.
struct Elements {
  double begin = 0;
  double end = 0;
};

}  // namespace

LayerDevices::LayerDevices(const std::vector<at::Device>& devices,
                           const std::vector<ParameterSize>& parameters)
    : m_first(devices.front()), m_last(devices.back()) {
  for (const at::Device& device : devices) {
    if (std::ranges::count(m_devices, device) == 0) {
      m_devices.push_back(device);
    }
  }
  std::vector<Elements> layers;
  double all = 0;
  for (const ParameterSize& size : parameters) {
    const double end = all + static_cast<double>(size.elements);
    if (size.layer >= 0) {
      const auto layer = static_cast<std::size_t>(size.layer);
      layers.resize(std::max(layers.size(), layer + 1), {.begin = all});
      layers[layer].end = end;
    }
    all = end;
  }
  for (const Elements& layer : layers) {
    const double middle = (layer.begin + layer.end) / 2 / all;
    const auto part = static_cast<std::size_t>(middle * static_cast<double>(devices.size()));
    m_layers.push_back(devices.at(std::min(part, devices.size() - 1)));
  }
  bool isBehind = false;
  for (const ParameterSize& size : parameters) {
    isBehind = isBehind || size.layer >= 0;
    m_parameters.push_back(size.layer >= 0 ? ofLayer(size.layer) : isBehind ? m_last : m_first);
  }
}

const at::Device& LayerDevices::ofLayer(std::int64_t layer) const {
  return m_layers.empty() ? m_first : m_layers.at(static_cast<std::size_t>(layer));
}

const at::Device& LayerDevices::ofParameter(std::size_t index) const {
  return m_parameters.empty() ? m_first : m_parameters.at(index);
}

}  // namespace ulp::engine
