#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/site.h"

namespace ulp::analysis {

/// What the tensors of a model of the llama layout are computed from. Reports hold no graph: the
/// inputs follow from the names of the sites. Of a tensor that was not captured, those that it is
/// computed from stand in.
class SiteInputs {
 public:
  /// The sites of one run.
  explicit SiteInputs(std::span<const Site> captured);

  /// {name, pass} of the captured tensors that `site` is computed from, beside parameters and token
  /// ids; of the backward pass also those that were kept from the forward pass. Empty where there
  /// are none or the site is not known, as those of other layouts.
  [[nodiscard]] std::vector<std::pair<std::string, Pass>> readBy(const Site& site) const;

 private:
  using Key = std::pair<std::string, Pass>;

  [[nodiscard]] std::vector<Key> direct(const Key& key) const;
  [[nodiscard]] Key read(std::string_view input, int layer, Pass pass) const;

  std::set<Key> m_captured;
  int m_lastLayer = -1;
};

}  // namespace ulp::analysis
