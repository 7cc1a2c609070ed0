#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/engine/losses/loss.h"
#include "core/study/schema/loss_values.h"

namespace ulp::engine {
namespace {

/// Studies are checked without an engine, by a list that the build makes of file names.
TEST(LossTypes, OfAStudyAreThoseOfTheEngine) {
  LossRegistry registry;
  registerBuiltin(registry);
  std::vector<std::string> all;
  std::vector<std::string> ofPolicies;
  for (const Loss& loss : registry.all()) {
    all.emplace_back(loss.id);
    if (loss.needsPolicy) {
      ofPolicies.emplace_back(loss.id);
    }
  }
  std::vector<std::string_view> inStudies = study::lossTypes();
  std::ranges::sort(all);
  std::ranges::sort(inStudies);
  EXPECT_TRUE(std::ranges::equal(inStudies, all));
  std::ranges::sort(ofPolicies);
  EXPECT_TRUE(std::ranges::equal(study::policyLossTypes(), ofPolicies));
}

}  // namespace
}  // namespace ulp::engine
