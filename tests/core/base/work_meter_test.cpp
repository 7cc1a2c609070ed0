#include "core/base/work_meter.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(WorkMeter, TellsWhatIsDoneOfWhatIsExpected) {
  WorkMeter meter;
  EXPECT_EQ(meter.fraction(), 0) << "nothing is known";
  meter.expect(3);
  meter.expect(1);
  meter.advance(1);
  EXPECT_DOUBLE_EQ(meter.fraction(), 0.25);
  meter.advance(7);
  EXPECT_DOUBLE_EQ(meter.fraction(), 1) << "never more than all";
}

TEST(WorkMeter, TheInnermostScopeCountsAndEndsWithIt) {
  WorkMeter outer;
  WorkMeter inner;
  {
    const MeterScope work(outer);
    {
      const MeterScope part(inner);
      EXPECT_EQ(&MeterScope::current(), &inner);
    }
    EXPECT_EQ(&MeterScope::current(), &outer);
  }
  EXPECT_NE(&MeterScope::current(), &outer);
  MeterScope::current().expect(1);
  EXPECT_EQ(outer.fraction(), 0);
}

}  // namespace
}  // namespace ulp
