#include "core/remote/jobs/job_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <span>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_in_place.h"
#include "core/base/files/folders.h"
#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/json/dump.h"
#include "core/json/parse.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kPhases{"unknown", "running", "over", "lost"};
constexpr std::size_t kLargestRecord = std::size_t{1} << 24;

bool isJobName(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  return !name.empty() && name.size() <= kLongest && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

Result<json::Value> readRecord(const fs::path& file) {
  const std::string text = ULP_TRY(readTextFile(file, kLargestRecord));
  return whileDoing(file.string(), json::parseObject(text));
}

/// Whether somebody holds the lock of an attempt.
bool isLocked(const fs::path& file) {
  const FileDescriptor lock(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return lock && ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

std::string homeFolder() {
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): never set by us
  return home == nullptr ? "" : home;
}

}  // namespace

std::string_view toString(JobPhase phase) {
  return kPhases.at(static_cast<std::size_t>(phase));
}

JobPhase phaseNamed(std::string_view name) {
  const auto found = std::ranges::find(kPhases, name);
  return found == kPhases.end() ? JobPhase::Unknown
                                : static_cast<JobPhase>(found - kPhases.begin());
}

Result<fs::path> dataFolder() {
  const char* named = std::getenv("XDG_DATA_HOME");  // NOLINT(concurrency-mt-unsafe)
  if (named != nullptr && *named == '/') {
    return fs::path(named) / "ulpscope";
  }
  const std::string home = homeFolder();
  if (home.empty()) {
    return fail(ErrorCode::NotFound, "$HOME is not set, so that no data of a user can be kept");
  }
  return fs::path(home) / ".local" / "share" / "ulpscope";
}

Result<JobFolder> JobFolder::of(const std::string& job) {
  const fs::path data = ULP_TRY(dataFolder());
  return below(data / "jobs", job);
}

Result<JobFolder> JobFolder::below(const fs::path& root, const std::string& job) {
  if (!isJobName(job)) {
    return fail(ErrorCode::InvalidArgument, fmt::format("'{}': not the name of a job", job));
  }
  return JobFolder(root / job);
}

int JobFolder::lastAttempt() const {
  int last = 0;
  std::error_code code;
  for (fs::directory_iterator entry(m_path, code), end; !code && entry != end;
       entry.increment(code)) {
    const auto number = parseNumber<int>(entry->path().filename().string());
    last = std::max(last, number.value_or(0));
  }
  return last;
}

JobState JobFolder::state() const {
  JobState state{.attempt = lastAttempt()};
  if (state.attempt == 0) {
    return state;
  }
  const fs::path folder = attemptFolder(state.attempt);
  if (const auto told = order(state.attempt)) {
    state.output = outputOf(*told).string();
  }
  // Looked at first: who holds it writes the end before giving it back.
  const bool isHeld = isLocked(folder / kJobLock);
  if (const auto end = readRecord(folder / kEndFile)) {
    state.phase = JobPhase::Over;
    state.end = JobEnd{static_cast<int>(end->at("exit_code").integer()),
                       static_cast<int>(end->at("signal").integer())};
    return state;
  }
  state.phase = isHeld ? JobPhase::Running : JobPhase::Lost;
  return state;
}

fs::path JobFolder::outputOf(const JobOrder& order) const {
  if (order.output.empty()) {
    return m_path / "run";
  }
  const fs::path named(order.output);
  return named.is_absolute() ? named : fs::path(homeFolder()) / named;
}

Result<std::optional<FileDescriptor>> JobFolder::begin(const JobOrder& order) const {
  const JobState before = state();
  if (before.attempt >= order.attempt) {
    return std::optional<FileDescriptor>();
  }
  if (before.attempt + 1 != order.attempt) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("job {}: attempt {} follows none", order.job, order.attempt));
  }
  if (before.phase == JobPhase::Running) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("job {}: the study runs yet; --resume takes it up", order.job));
  }
  ULP_TRY(makeFolders(m_path));
  const fs::path folder = attemptFolder(order.attempt);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0) {
    return errno == EEXIST ? Result<std::optional<FileDescriptor>>(std::nullopt)
                           : fail(systemError(folder, "cannot be made", errno));
  }
  FileDescriptor lock = ULP_TRY(openInPlace(folder / kJobLock, O_CREAT));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail(systemError(folder / kJobLock, "cannot be locked", errno));
  }
  if (::mkfifo((folder / kControlFile).c_str(), S_IRUSR | S_IWUSR) != 0) {
    return fail(systemError(folder / kControlFile, "cannot be made", errno));
  }
  ULP_TRY(writeFileAtomically(folder / kOrderFile, json::dump(toJson(order))));
  return std::optional<FileDescriptor>(std::move(lock));
}

Result<JobOrder> JobFolder::order(int attempt) const {
  const fs::path file = attemptFolder(attempt) / kOrderFile;
  const json::Value record = ULP_TRY(readRecord(file));
  return whileDoing(file.string(), orderIn(record));
}

Result<> JobFolder::cancel() const {
  const JobState now = state();
  if (now.phase != JobPhase::Running) {
    return {};
  }
  const auto processes = ULP_TRY(readRecord(attemptFolder(now.attempt) / kProcessesFile));
  // Who watches the worker may be gone, and the worker goes on.
  auto told = signalProcess(identityIn(processes.at("keeper")), SIGTERM);
  if (!told && told.error().code() == ErrorCode::NotFound) {
    told = signalProcess(identityIn(processes.at("worker")), SIGINT);
  }
  return told || told.error().code() == ErrorCode::NotFound ? Result<>() : told;
}

Result<> JobFolder::skip(const std::string& variant) const {
  const fs::path file = attemptFolder(lastAttempt()) / kControlFile;
  const FileDescriptor control(::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  if (!control || variant.find('\n') != std::string::npos) {
    return fail(ErrorCode::NotFound, "nothing runs that could leave a variant out");
  }
  const std::string line = fmt::format("skip {}\n", variant);
  const int failure = writeAll(control.get(), std::as_bytes(std::span(line)));
  return failure == 0 ? Result<>() : fail(systemError(file, "cannot write", failure));
}

Result<> JobFolder::remove() const {
  if (state().phase == JobPhase::Running) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("job {}: the study runs yet; cancel it first", m_path.filename().string()));
  }
  std::error_code code;
  fs::remove_all(m_path, code);
  return code ? Result<>(fail(systemError(m_path, "cannot be removed", code.value()))) : Result<>();
}

Result<std::vector<KeptJob>> keptJobs() {
  std::vector<KeptJob> jobs;
  const fs::path root = ULP_TRY(dataFolder()) / "jobs";
  std::error_code code;
  for (fs::directory_iterator entry(root, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    const auto folder = JobFolder::below(root, name);
    if (!folder) {
      continue;
    }
    KeptJob job{.job = name, .state = folder->state()};
    if (const auto order = folder->order(1)) {
      job.study = order->study;
    }
    struct stat begun {};
    if (::stat((folder->attemptFolder(1) / kOrderFile).c_str(), &begun) == 0) {
      job.begun = begun.st_mtim.tv_sec;
    }
    job.hasResultsHere = fs::path(job.state.output) == folder->path() / "run";
    std::error_code unread;
    for (fs::recursive_directory_iterator file(folder->path(), unread), last;
         !unread && file != last;
         file.increment(unread)) {
      std::error_code gone;
      if (file->is_regular_file(gone) && !file->is_symlink(gone)) {
        const auto size = file->file_size(gone);
        job.bytes += gone ? 0 : size;
      }
    }
    jobs.push_back(std::move(job));
  }
  std::ranges::sort(jobs, std::greater(), &KeptJob::begun);
  return jobs;
}

json::Value toJson(const JobOrder& order) {
  return json::Object{{"job", order.job},
                      {"attempt", order.attempt},
                      {"study", order.study},
                      {"output", order.output},
                      {"options", order.options}};
}

Result<JobOrder> orderIn(const json::Value& value) {
  JobOrder order{.job = value.at("job").text(),
                 .attempt = static_cast<int>(value.at("attempt").integer()),
                 .study = value.at("study").text(),
                 .output = value.at("output").text(),
                 .options = listOf(value.at("options").items(),
                                   [](const json::Value& each) { return each.text(); })};
  // A name, so that what is sent stays in its folder.
  const fs::path study(order.study);
  if (!isJobName(order.job) || order.attempt < 1 || order.study.empty() ||
      study.filename() != study || order.study.starts_with('.')) {
    return fail(ErrorCode::CorruptData, "not an order of a study");
  }
  return order;
}

}  // namespace ulp::remote
