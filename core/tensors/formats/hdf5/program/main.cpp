#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
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

#include "core/base/files/file_descriptor.h"
#include "core/base/processes/expendable.h"
#include "core/tensors/formats/hdf5/program/contents_walk.h"
#include "core/tensors/formats/hdf5/reader_process.h"

/// Started by runHdf5Reader(): reads descriptor 4, fills descriptor 3 and reports on standard
/// output.
namespace ulp::tensors {
namespace {

/// Whoever started this process lives on whatever the file does to it.
void beginExpendably() {
  becomeExpendable(kHdf5ReaderInput);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  constexpr std::uint64_t kMostFiles = 16;
  setLimit(RLIMIT_FSIZE, kMostHdf5Contents, kMostHdf5Contents);
  setLimit(RLIMIT_NOFILE, kMostFiles, kMostFiles);
}

void setLimits(const Hdf5Limits& limits) {
  // SIGXCPU says what happened; at the hard limit comes SIGKILL.
  setLimit(RLIMIT_CPU, limits.seconds, limits.seconds + 1);
  setLimit(RLIMIT_AS, limits.memory, limits.memory);
}

/// The file that whoever started this process holds open, whatever bears its name by now.
Hdf5Input inputOf(const std::vector<std::string>& words) {
  return {words[1], "/proc/self/fd/" + std::to_string(kHdf5ReaderInput)};
}

/// 0: the system refuses to say.
std::uint64_t inputBytes() {
  struct stat status {};
  return ::fstat(kHdf5ReaderInput, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

tl::unexpected<Error> payloadError(int number) {
  return fail(ErrorCode::Io,
              "the memory for what is read: " + std::generic_category().message(number));
}

Result<> writePayload(std::string_view bytes, int descriptor) {
  const int failure = writeAll(descriptor, std::as_bytes(std::span(bytes)));
  return failure == 0 ? Result<>() : payloadError(failure);
}

/// list FILE ATTRIBUTE…
Result<> list(const std::vector<std::string>& words) {
  setLimits(limitsOfList(inputBytes()));
  const auto contents = ULP_TRY(listContents(inputOf(words), {words.begin() + 2, words.end()}));
  const std::string bytes = encoded(contents);
  if (bytes.size() > kMostHdf5Contents) {
    return fail(ErrorCode::CorruptData,
                words[1] + ": what it says of its datasets takes more than " +
                    std::to_string(kMostHdf5Contents >> 20U) + " MiB");
  }
  return writePayload(bytes, kHdf5ReaderPayload);
}

/// read FILE DATASET KIND
Result<> read(const std::vector<std::string>& words) {
  struct stat status {};
  if (::fstat(kHdf5ReaderPayload, &status) != 0) {
    return payloadError(errno);
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  setLimits(limitsOfRead(size, inputBytes()));
  if (size == 0) {
    return readDataset(inputOf(words), words[2], words[3], {});
  }
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, kHdf5ReaderPayload, 0);
  if (memory == MAP_FAILED) {
    return payloadError(errno);
  }
  return readDataset(inputOf(words), words[2], words[3], {static_cast<std::byte*>(memory), size});
}

/// The report; nothing where this is no request.
std::optional<std::string> obey(const std::vector<std::string>& words) {
  const bool isList = words.size() >= 2 && words[0] == "list";
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
  ulp::tensors::beginExpendably();
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
