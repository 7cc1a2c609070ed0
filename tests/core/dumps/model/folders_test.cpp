#include "core/dumps/model/folders.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace ulp::dumps {
namespace {

TEST(NaturalOrderTest, NumbersAreInTheOrderOfTheirValues) {
  std::vector<std::string> names{"layers.10.b",
                                 "layers.2",
                                 "a",
                                 "layers.2.a",
                                 "layers.02",
                                 "",
                                 "b10",
                                 "b9",
                                 "b99999999999999999999999",
                                 "b100000000000000000000000"};
  std::sort(names.begin(), names.end(), naturallyBefore);
  EXPECT_THAT(names,
              testing::ElementsAre("",
                                   "a",
                                   "b9",
                                   "b10",
                                   "b99999999999999999999999",
                                   "b100000000000000000000000",
                                   "layers.02",
                                   "layers.2",
                                   "layers.2.a",
                                   "layers.10.b"));
}

TEST(NaturalOrderTest, NoNameIsBeforeItself) {
  for (const char* name : {"", "a", "a1", "01", "1a"}) {
    EXPECT_FALSE(naturallyBefore(name, name)) << name;
  }
}

}  // namespace
}  // namespace ulp::dumps
