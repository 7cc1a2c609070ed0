#include "core/base/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Shape = std::vector<std::int64_t>;

TEST(Squeezed, DropsExtentsOfOneWhereverTheyStand) {
  EXPECT_THAT(squeezed(Shape{1, 8, 1, 64, 1}), ElementsAre(8, 64));
  EXPECT_THAT(squeezed(Shape{8, 64}), ElementsAre(8, 64));
  EXPECT_THAT(squeezed(Shape{1, 1}), IsEmpty());
  EXPECT_THAT(squeezed(Shape{}), IsEmpty());
}

TEST(Squeezed, KeepsExtentsOfZero) {
  EXPECT_THAT(squeezed(Shape{1, 0, 4}), ElementsAre(0, 4));
}

TEST(Squeezed, IsTheSameWithoutExtentsOfOne) {
  EXPECT_TRUE(isSqueezedSame(Shape{1, 8, 1, 64}, Shape{8, 64}));
  EXPECT_TRUE(isSqueezedSame(Shape{1}, Shape{}));
  EXPECT_FALSE(isSqueezedSame(Shape{8, 64}, Shape{64, 8}));
  EXPECT_FALSE(isSqueezedSame(Shape{8, 64}, Shape{8, 64, 2}));
}

}  // namespace
}  // namespace ulp
