#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/analysis/studies/model_outline.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// config.json of a model, as the study editor reads it to forecast what a study takes. A model
/// that is accepted has parameters, and each of its sites has elements.
inline void fuzzModelConfig(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  folder.write("config.json", fuzzText(data, size));
  const auto model = analysis::readModelOutline(folder.path());
  if (!model) {
    require(!model.error().message().empty());
    return;
  }
  // A layer takes milliseconds under sanitizers, the thousandth like the first.
  constexpr std::int64_t kManyLayers = 64;
  if (model->layers > kManyLayers) {
    return;
  }
  require(analysis::parameterCount(*model) > 0);
  for (const Level level : {Level::Layer, Level::Module, Level::Op}) {
    const auto sites = analysis::outlineSites(*model, {.level = level, .isEager = true});
    require(std::ranges::none_of(
        sites, [](const analysis::OutlineSite& site) { return site.site.name.empty(); }));
  }
}

}  // namespace ulp::test
