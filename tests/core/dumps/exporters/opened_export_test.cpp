#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/work_meter.h"
#include "core/dumps/exporters/tensor_export.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using testing::HasSubstr;

class OpenedExportTest : public testing::Test {
 protected:
  OpenedExportTest() { test::writeNpy(m_dir / "dump" / "a.npy", {2}, {1, 2}); }
  [[nodiscard]] TensorExport wanted(const std::string& format) const {
    return {.source = m_dir / "dump", .target = m_dir / "out", .format = format};
  }

  test::TempDir m_dir;
};

TEST_F(OpenedExportTest, OpensTheSourceAndWritesIt) {
  WorkMeter meter;
  const MeterScope scope(meter);
  const auto outcome = exportTensors(wanted("npy"), {}, metered());
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->rows, 1U);
  EXPECT_TRUE(std::filesystem::exists(m_dir / "out" / "a.npy"));
  EXPECT_EQ(meter.fraction(), 1);
}

TEST_F(OpenedExportTest, NamesTheFormatsThatThereAre) {
  const auto outcome = exportTensors(wanted("zip"));
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message(),
              HasSubstr("unknown format 'zip' of tensors; choose msprobe, npy, safetensors"));
}

TEST_F(OpenedExportTest, AUnitThatIsNotThereIsSaid) {
  TensorExport one = wanted("npy");
  one.units.step = 7;
  const auto outcome = exportTensors(one);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message(), HasSubstr("there is no step 7"));
}

}  // namespace
}  // namespace ulp::dumps
