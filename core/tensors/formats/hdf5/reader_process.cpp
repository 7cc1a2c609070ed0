#include "core/tensors/formats/hdf5/reader_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/base/processes/helper_process.h"
#include "core/base/processes/pipe.h"
#include "core/base/stop_scope.h"

namespace ulp::tensors {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kDone = "done\n";
/// Followed by the digit of the code, a space, the message, which is never empty, and kDone.
constexpr std::string_view kFailed = "failed ";
constexpr auto kLastCode = static_cast<int>(ErrorCode::Internal);
static_assert(kLastCode < 10, "one digit is written");

constexpr HelperProgram kReader{
    .name = kHdf5ReaderProgram, .variable = kHdf5ReaderVariable, .purpose = "HDF5 files are read"};

/// A reader that runs. Destroyed before it has ended, it is killed.
class RunningReader {
 public:
  RunningReader(pid_t child, FileDescriptor output, std::chrono::milliseconds patience)
      : m_child(child), m_output(std::move(output)), m_deadline(Clock::now() + patience) {}
  ~RunningReader() {
    if (m_hasEnded) {
      return;
    }
    ::kill(-m_child, SIGKILL);
    // One that hangs in the system's own code dies when that returns: somebody else waits for it.
    static_cast<void>(guarded(
        [child = m_child] { std::thread([child] { ::waitpid(child, nullptr, 0); }).detach(); }));
  }
  RunningReader(const RunningReader&) = delete;
  RunningReader& operator=(const RunningReader&) = delete;

  /// All that it prints. Errors: Cancelled, Io (out of patience).
  Result<std::string> report() {
    std::string report;
    std::array<char, 4096> piece{};
    while (true) {
      ULP_TRY(mayGoOn());
      pollfd output{m_output.get(), POLLIN, 0};
      const int ready = ::poll(&output, 1, static_cast<int>(kGlance.count()));
      const ssize_t count = ready > 0 ? ::read(m_output.get(), piece.data(), piece.size()) : -1;
      if (count == 0) {
        return report;
      }
      if (ready != 0 && count < 0 && errno != EINTR) {
        return fail(systemError(kHdf5ReaderProgram, "cannot be listened to", errno));
      }
      report.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      if (report.size() > kLongestReport) {
        return fail(ErrorCode::CorruptData,
                    "its reader reports without end; the file is damaged inside: copy or write it "
                    "anew");
      }
    }
  }

  /// Its status, which follows at once on the end of what it prints, unless it only closed that.
  /// Nothing: it is lost, because the program above ignores SIGCHLD. Errors: as report().
  Result<std::optional<int>> status() {
    for (std::chrono::microseconds nap{50};;
         nap = std::min<std::chrono::microseconds>(2 * nap, kGlance)) {
      int status = 0;
      const pid_t ended = ::waitpid(m_child, &status, WNOHANG);
      if (ended == m_child || (ended < 0 && errno != EINTR)) {
        m_hasEnded = true;
        return ended == m_child ? std::optional<int>(status) : std::nullopt;
      }
      ULP_TRY(mayGoOn());
      std::this_thread::sleep_for(nap);
    }
  }

 private:
  /// How long it may take until a stop is seen.
  static constexpr std::chrono::milliseconds kGlance{50};
  static constexpr std::size_t kLongestReport = std::size_t{1} << 20U;

  [[nodiscard]] Result<> mayGoOn() const {
    if (currentStop().stop_requested()) {
      return fail(ErrorCode::Cancelled, "reading was cancelled");
    }
    if (Clock::now() >= m_deadline) {
      return fail(ErrorCode::Io,
                  std::string(kHdf5ReaderProgram) +
                      " came to no end in the time that a file of this size takes, waiting "
                      "included; if its disk answers slowly, copy the file to another one");
    }
    return {};
  }

  pid_t m_child;
  FileDescriptor m_output;
  Clock::time_point m_deadline;
  bool m_hasEnded = false;
};

/// Why a reader left no report.
tl::unexpected<Error> endOf(const std::string& file, std::optional<int> status) {
  if (auto end = endOfHelper(kReader, status)) {
    return fail(std::move(*end).whileDoing(file));
  }
  const auto damaged = [&](const std::string& what) {
    return fail(ErrorCode::CorruptData,
                file + ": " + what + "; the file is damaged inside: copy or write it anew");
  };
  switch (status && WIFSIGNALED(*status) ? WTERMSIG(*status) : 0) {
    case SIGXCPU:
      return fail(ErrorCode::CorruptData,
                  file +
                      ": HDF5 came to no end in the time that a file of this size takes; it is "
                      "damaged inside, or its chunks are tiny: write it anew, with larger chunks");
    case SIGSEGV:
    case SIGABRT:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
      return damaged("HDF5 crashed on it");
    default:
      return damaged("HDF5 crashed on it or came to no end");
  }
}

}  // namespace

Result<> runHdf5Reader(const Hdf5Request& request,
                       const InputFile& input,
                       const MemoryFile& payload) {
  const std::string& file = request.arguments.at(1);
  const auto program = ULP_TRY(findHelper(kReader));
  Pipe printed = ULP_TRY(makePipe(program));
  const auto child =
      ULP_TRY(startHelper(program,
                          request.arguments,
                          std::array{HandedOn{printed.writing.get(), STDOUT_FILENO},
                                     HandedOn{payload.descriptor(), kHdf5ReaderPayload},
                                     HandedOn{input.descriptor(), kHdf5ReaderInput}}));
  printed.writing.close();
  RunningReader reader(child, std::move(printed.reading), request.patience);
  const auto report = ULP_TRY(whileDoing(file, reader.report()));
  const auto status = ULP_TRY(whileDoing(file, reader.status()));
  return resultOf(report, file, status);
}

std::string reportOf(const Result<>& result) {
  std::string report;
  if (!result) {
    report += kFailed;
    report +=
        std::to_string(static_cast<int>(result.error().code())) + " " + result.error().message();
  }
  report += kDone;
  return report;
}

Result<> resultOf(std::string_view report,
                  const std::filesystem::path& file,
                  std::optional<int> status) {
  if (report == kDone) {
    return {};
  }
  const bool isWhole = report.starts_with(kFailed) && report.ends_with(kDone) &&
                       report.size() > kFailed.size() + 2 + kDone.size() &&
                       report[kFailed.size() + 1] == ' ';
  const int code = isWhole ? report[kFailed.size()] - '0' : -1;
  if (code < 0 || code > kLastCode) {
    return endOf(file.string(), status);
  }
  report.remove_prefix(kFailed.size() + 2);
  report.remove_suffix(kDone.size());
  return fail(static_cast<ErrorCode>(code), std::string(report));
}

}  // namespace ulp::tensors
