#include "core/numerics/student_t.h"

#include <array>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

namespace ulp::numerics {
namespace {

// python3 -c "import mpmath as m; m.mp.dps = 30; [print(n, m.findroot(lambda t: 1 -
// m.betainc(n / m.mpf(2), m.mpf(1) / 2, 0, n / (n + t * t), regularized=True) - m.mpf('0.95'),
// 2 if n > 1 else 12.7)) for n in (1, 2, 3, 4, 5, 7, 10, 30, 100, 200, 201, 1000, 100000)]"
constexpr std::array<std::pair<std::uint64_t, double>, 13> kQuantiles{
    {{1, 12.706204736174705},
     {2, 4.3026527297494639},
     {3, 3.1824463052837096},
     {4, 2.7764451051977944},
     {5, 2.5705818356363155},
     {7, 2.3646242515927853},
     {10, 2.2281388519862747},
     {30, 2.0422724563012383},
     {100, 1.9839715185235523},
     {200, 1.9718962236339094},
     {201, 1.9718365067798593},
     {1000, 1.9623390808264085},
     {100000, 1.9599877075346096}}};

TEST(StudentT, MatchesTheIncompleteBetaFunction) {
  for (const auto& [degrees, quantile] : kQuantiles) {
    EXPECT_NEAR(studentT975(degrees), quantile, quantile * 5e-12) << degrees;
  }
}

TEST(StudentT, FallsWithEveryDegreeOfFreedom) {
  for (std::uint64_t degrees = 1; degrees < 300; ++degrees) {
    EXPECT_GT(studentT975(degrees), studentT975(degrees + 1)) << degrees;
  }
}

TEST(StudentT, IsUndefinedWithoutOne) {
  EXPECT_TRUE(std::isnan(studentT975(0)));
}

}  // namespace
}  // namespace ulp::numerics
