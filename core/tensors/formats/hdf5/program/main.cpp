#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "core/tensors/formats/hdf5/dataset_list.h"
#include "core/tensors/formats/hdf5/reader_process.h"

/// Started by runHdf5Reader(): fills descriptor 3 and reports on standard output.
namespace ulp::tensors {
namespace {

// Sanitizers map more memory than there is.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
#else
constexpr bool kIsSanitized = false;
#endif

/// Whoever started this process lives on whatever the file does to it.
void becomeExpendable() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  std::ofstream("/proc/self/oom_score_adj") << "1000";
}

void setLimits(const Hdf5Limits& limits) {
  // SIGXCPU says what happened; at the hard limit comes SIGKILL.
  const rlimit time{limits.seconds, limits.seconds + 1};
  ::setrlimit(RLIMIT_CPU, &time);
  if (!kIsSanitized) {
    const rlimit memory{limits.memory, limits.memory};
    ::setrlimit(RLIMIT_AS, &memory);
  }
}

/// 0: the system refuses to say.
std::uint64_t sizeOf(const std::string& file) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  return unknown ? 0 : size;
}

tl::unexpected<Error> payloadError(int number) {
  return fail(ErrorCode::Io,
              "the memory for what is read: " + std::generic_category().message(number));
}

Result<> writePayload(std::string_view bytes, int descriptor) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      return payloadError(errno);
    }
    bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return {};
}

/// list FILE
Result<> list(const std::vector<std::string>& words) {
  setLimits(limitsOfList(sizeOf(words[1])));
  const auto datasets = ULP_TRY(listDatasets(words[1]));
  return writePayload(encoded(datasets), kHdf5ReaderPayload);
}

/// read FILE DATASET KIND
Result<> read(const std::vector<std::string>& words) {
  struct stat status {};
  if (::fstat(kHdf5ReaderPayload, &status) != 0) {
    return payloadError(errno);
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  setLimits(limitsOfRead(size, sizeOf(words[1])));
  if (size == 0) {
    return readDataset(words[1], words[2], words[3], {});
  }
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, kHdf5ReaderPayload, 0);
  if (memory == MAP_FAILED) {
    return payloadError(errno);
  }
  return readDataset(words[1], words[2], words[3], {static_cast<std::byte*>(memory), size});
}

/// The report; nothing where this is no request.
std::optional<std::string> obey(const std::vector<std::string>& words) {
  const bool isList = words.size() == 2 && words[0] == "list";
  const bool isRead = words.size() == 4 && words[0] == "read";
  if (!isList && !isRead) {
    return std::nullopt;
  }
  auto report = guarded([&] { return reportOf(isList ? list(words) : read(words)); });
  return report ? *std::move(report) : reportOf(tl::unexpected(std::move(report.error())));
}

}  // namespace
}  // namespace ulp::tensors

int main(int argc, char** argv) {
  ulp::tensors::becomeExpendable();
  const auto report = ulp::tensors::obey({argv + 1, argv + argc});
  if (!report) {
    std::fputs("ulpscope-hdf5: reads HDF5 files for ulpscope and ulpscope-cli, which start it\n",
               stderr);
    return 2;
  }
  const bool isWritten = std::fwrite(report->data(), 1, report->size(), stdout) == report->size() &&
                         std::fflush(stdout) == 0;
  // Nothing is tidied up: HDF5 has crashed while closing a file that it had given up.
  ::_exit(isWritten ? 0 : 1);
}
