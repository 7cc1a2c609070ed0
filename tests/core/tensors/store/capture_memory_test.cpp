#include <array>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/base/barrier.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/sanitizers.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

Result<> storeOneRun(const std::filesystem::path& folder) {
  constexpr std::array<float, 6> kFloats{1, 2, 3, 4, 5, 6};
  const Site layer{"decoder.0", "model.layers.0", 0, Level::Layer, Pass::Forward};
  const auto writer = ULP_TRY(CaptureWriter::create(folder));
  ULP_TRY(writer->beginRun("a"));
  ULP_TRY(writer->put(layer, {kFloats.data(), DType::Float32, {2, 3}}, 0));
  return writer->finishRun();
}

/// How a process ends that stores a run and may take `more` bytes of addresses than it has: 0 the
/// run is stored, 1 it said that there is no memory.
int endWithMemory(const std::filesystem::path& folder, rlim_t more) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto pages = std::stoull(test::contentOf("/proc/self/statm"));
    const rlim_t now = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
    const rlim_t limit = more == RLIM_INFINITY ? more : now + more;
    const rlimit both{limit, limit};
    setrlimit(RLIMIT_AS, &both);
    const auto end = behindBarrier("storing", [&] { return storeOneRun(folder); });
    const bool isMemory = !end && (end.error().code() == ErrorCode::OutOfMemory ||
                                   end.error().message().find("memory") != std::string::npos);
    ::_exit(end ? 0 : isMemory ? 1 : 2);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void checkEveryAmountOfMemory() {
  const test::TempDir folder;
  // Sanitizers map more than any limit allows.
  const bool isLimited = !test::isAddressSanitized() && !test::isThreadSanitized();
  constexpr rlim_t kStep = rlim_t{1} << 16U;
  constexpr rlim_t kMost = rlim_t{16} << 20U;
  for (rlim_t more = 0; more <= kMost; more += more < kMost / 2 ? kStep : kMost / 8) {
    const int end = endWithMemory(folder / std::to_string(more), isLimited ? more : RLIM_INFINITY);
    EXPECT_TRUE(end == 0 || end == 1) << end << " with " << more << " bytes";
    EXPECT_TRUE(end == 1 || more > kStep || !isLimited) << "nothing was limited";
    EXPECT_TRUE(end == 0 || more < kMost) << "not even with " << more << " bytes";
  }
}

/// HDF5 1.10 follows a null pointer where memory ends while it makes a file. In a process of its
/// own: what earlier tests have freed would be memory as well.
TEST(CaptureMemoryDeathTest, WritersReportThatMemoryIsOver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        checkEveryAmountOfMemory();
        ::_exit(HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0),
      "");
}

}  // namespace
}  // namespace ulp::tensors
