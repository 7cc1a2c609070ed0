#include "core/base/memory/device_memory.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(MemoryParts, AreDescribedWithoutWhatIsNothing) {
  const MemoryParts parts{.weights = 3U << 20, .captures = 1U << 20};
  EXPECT_EQ(parts.total(), 4U << 20);
  EXPECT_EQ(describe(parts), "4.0 MiB (weights 3.0 MiB, captures 1.0 MiB)");
}

}  // namespace
}  // namespace ulp
