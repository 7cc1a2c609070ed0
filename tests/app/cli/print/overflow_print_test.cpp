#include "app/cli/print/overflow_print.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ulp::cli {
namespace {

TEST(OverflowJson, NamesTheCallsThatCarryOnOnceAndOfFurtherOriginsTheFirst) {
  DumpOverflow overflow;
  analysis::OverflowSearch& search = overflow.units.emplace_back().search;
  for (int call = 0; call < 40; ++call) {
    search.carriers.push_back("call " + std::to_string(call));
  }
  for (const std::size_t first : {std::size_t{0}, std::size_t{10}, std::size_t{38}}) {
    search.origins.emplace_back().firstCarrier = first;
  }
  const auto origins = nlohmann::json::parse(overflowJson(overflow))["units"][0]["origins"];
  ASSERT_EQ(origins.size(), 3U);
  EXPECT_EQ(origins[0]["carried_on_by_count"], 40);
  EXPECT_EQ(origins[0]["carried_on_by"].size(), 40U);
  EXPECT_EQ(origins[1]["carried_on_by_count"], 30);
  ASSERT_EQ(origins[1]["carried_on_by"].size(), 16U);
  EXPECT_EQ(origins[1]["carried_on_by"][0], "call 10");
  EXPECT_EQ(origins[1]["carried_on_by"][15], "call 25");
  EXPECT_EQ(origins[2]["carried_on_by_count"], 2);
  EXPECT_EQ(origins[2]["carried_on_by"].size(), 2U);
}

}  // namespace
}  // namespace ulp::cli
