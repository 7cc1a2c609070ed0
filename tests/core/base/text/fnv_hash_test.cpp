#include "core/base/text/fnv_hash.h"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(FnvHash, IsThatOfItsAuthors) {
  EXPECT_EQ(fnvHash(std::string_view("")), 0xcbf29ce484222325U);
  EXPECT_EQ(fnvHash(std::string_view("a")), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fnvHash(std::string_view("foobar")), 0x85944171f73967e8U);
  EXPECT_EQ(fnvHash(std::array{'a'}), fnvHash(std::array{97U}));
}

}  // namespace
}  // namespace ulp
