#include "core/analysis/depth/execution_order.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/list_of.h"

namespace ulp::analysis {
namespace {

/// Where modules and layers stand in the forward pass.
class ForwardPlaces {
 public:
  explicit ForwardPlaces(const report::Run& run) {
    for (std::size_t i = 0; i < run.comparisons.size(); ++i) {
      const Site& site = run.comparisons[i].site;
      if (site.pass == Pass::Forward) {
        m_modules[site.module] = i;
        m_layers[site.layer] = i;
      }
    }
  }

  /// `otherwise`: where neither its module nor its layer has a row.
  [[nodiscard]] std::size_t of(const Site& site, std::size_t otherwise) const {
    if (const auto module = m_modules.find(site.module); module != m_modules.end()) {
      return module->second;
    }
    const auto layer = m_layers.find(site.layer);
    return site.layer >= 0 && layer != m_layers.end() ? layer->second : otherwise;
  }

 private:
  std::map<std::string_view, std::size_t> m_modules;
  std::map<int, std::size_t> m_layers;
};

/// A gradient of a parameter by where its module stands, and which that is.
struct PlacedGradient {
  std::pair<std::size_t, std::size_t> key;
  std::size_t row = 0;
};

}  // namespace

std::vector<std::size_t> executionOrder(const report::Run& run, Pass pass) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < run.comparisons.size(); ++i) {
    if (run.comparisons[i].site.pass == pass) {
      order.push_back(i);
    }
  }
  if (pass != Pass::ParameterGradient) {
    return order;
  }
  const ForwardPlaces places(run);
  std::map<std::string_view, std::size_t> modules;
  std::vector<PlacedGradient> placed;
  std::size_t place = 0;
  for (const std::size_t row : order) {
    const Site& site = run.comparisons[row].site;
    // Of what has no place of its own the parameter before it tells.
    place = places.of(site, place);
    placed.push_back({{place, modules.try_emplace(site.module, row).first->second}, row});
  }
  // Those of one module are made at once, and stay as they are.
  std::ranges::stable_sort(placed, std::ranges::greater(), &PlacedGradient::key);
  return listOf(placed, &PlacedGradient::row);
}

}  // namespace ulp::analysis
