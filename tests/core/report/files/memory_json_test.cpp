#include "core/report/files/memory_json.h"

#include <gtest/gtest.h>

#include "core/report/model/report.h"

namespace ulp::report {
namespace {

Report withMemory(const std::optional<DeviceMemory>& memory) {
  Report report;
  report.reference = "reference";
  report.runs = {{.name = "reference", .status = RunStatus::Finished, .memory = memory}};
  return report;
}

Run reread(const std::optional<DeviceMemory>& memory) {
  const auto read = parseReport(toJson(withMemory(memory)), "r.json");
  EXPECT_TRUE(read) << read.error().message();
  return read ? read->runs.front() : Run();
}

TEST(MemoryJson, KeepsEveryNumber) {
  const DeviceMemory memory{.planned = MemoryParts{.weights = 1,
                                                   .gradients = 2,
                                                   .activations = 3,
                                                   .captures = 4,
                                                   .workspace = std::uint64_t{5} << 40},
                            .free = 6,
                            .begin = 7,
                            .forward = 8,
                            .backward = 9,
                            .forwardPeak = 10,
                            .backwardPeak = 11,
                            .captures = 12,
                            .reserved = 13};
  const report::Run run = reread(memory);
  ASSERT_TRUE(run.memory && run.memory->planned);
  EXPECT_EQ(run.memory->planned->total(), 10 + (std::uint64_t{5} << 40));
  EXPECT_EQ(run.memory->planned->captures, 4U);
  EXPECT_EQ(run.memory->free, 6U);
  EXPECT_EQ(run.memory->begin, 7U);
  EXPECT_EQ(run.memory->forward, 8U);
  EXPECT_EQ(run.memory->backward, 9U);
  EXPECT_EQ(run.memory->forwardPeak, 10U);
  EXPECT_EQ(run.memory->backwardPeak, 11U);
  EXPECT_EQ(run.memory->captures, 12U);
  EXPECT_EQ(run.memory->reserved, 13U);
}

TEST(MemoryJson, OfTheCpuThereIsNone) {
  EXPECT_FALSE(reread(std::nullopt).memory);
  EXPECT_EQ(toJson(withMemory(std::nullopt)).find("\"memory\""), std::string::npos);
  const report::Run unplanned = reread(DeviceMemory{.begin = 7});
  ASSERT_TRUE(unplanned.memory);
  EXPECT_FALSE(unplanned.memory->planned);
}

}  // namespace
}  // namespace ulp::report
