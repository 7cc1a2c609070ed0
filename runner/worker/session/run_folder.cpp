#include "runner/worker/session/run_folder.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/error.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/token_texts.h"
#include "core/tensors/store/capture_layout.h"
#include "core/tensors/store/sample_store.h"
#include "runner/worker/events/run_files.h"

namespace ulp::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReportFile = "precision_report.json";
constexpr std::string_view kStudyFile = "study.yaml";
constexpr std::string_view kLockFile = ".ulpscope.lock";

constexpr std::array<std::string_view, 8> kFilesMade{kReportFile,
                                                     tensors::kIndexFile,
                                                     tensors::kSampleFile,
                                                     kStudyFile,
                                                     kJournalFile,
                                                     kLogFile,
                                                     report::kLogProbabilityFile,
                                                     report::kTokenTextFile};
/// What a killed worker can leave beside a file that it was writing.
constexpr std::array<std::string_view, 2> kUnfinished{".writing", tensors::kPartSuffix};

bool hasResults(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kReportFile, ignored) || fs::exists(folder / kJournalFile, ignored);
}

/// True when `descriptor` is still the file that `path` names: its last holder may have removed it
/// between our open() and our flock().
bool isStillNamed(int descriptor, const fs::path& path) {
  struct stat held {};
  struct stat named {};
  return ::fstat(descriptor, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

Result<> removeFile(const fs::path& file) {
  std::error_code code;
  fs::remove(file, code);
  if (code) {
    return fail(ErrorCode::Io, file.string() + ": cannot remove: " + code.message());
  }
  return {};
}

/// Captured tensors lie in a folder of their own, one file a run.
Result<> removeTensors(const fs::path& folder) {
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    const fs::path name = entry->path().filename();
    const bool isOurs = name.extension() == ".h5" || name.extension() == tensors::kPartSuffix;
    if (!isOurs || !entry->is_regular_file(code)) {
      continue;
    }
    ULP_TRY(removeFile(entry->path()));
  }
  ::rmdir(folder.c_str());  // stays when something else lies in it
  return {};
}

}  // namespace

Result<std::unique_ptr<RunFolder>> RunFolder::claim(const fs::path& path,
                                                    ExistingResults existing) {
  std::error_code code;
  const bool isNew = fs::create_directories(path, code);
  if (code || !fs::is_directory(path, code)) {
    return fail(ErrorCode::Io,
                path.string() + ": cannot make the output folder: " +
                    (code ? code.message() : "it is a file") + "; name another with --output");
  }
  std::unique_ptr<RunFolder> folder(new RunFolder(path, isNew));
  ULP_TRY(folder->lock());
  if (existing == ExistingResults::Refuse && hasResults(path)) {
    return fail(ErrorCode::InvalidArgument,
                path.string() +
                    ": holds results already; continue them with --resume, replace them with "
                    "--overwrite, or name another folder with --output");
  }
  return folder;
}

RunFolder::RunFolder(fs::path path, bool isNew) : m_path(std::move(path)), m_isNew(isNew) {}

RunFolder::~RunFolder() {
  if (m_lock < 0) {
    return;
  }
  ::unlink((m_path / kLockFile).c_str());
  ::close(m_lock);
  if (m_isNew) {
    ::rmdir(m_path.c_str());  // fails, as it should, when it holds something
  }
}

Result<> RunFolder::lock() {
  const fs::path file = m_path / kLockFile;
  while (true) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (descriptor < 0) {
      return fail(systemError(file, "cannot write to the output folder", errno));
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int number = errno;
      ::close(descriptor);
      if (number == EWOULDBLOCK) {
        return fail(ErrorCode::InvalidArgument,
                    m_path.string() +
                        ": another worker writes to this folder; wait until it is done or name "
                        "another folder with --output");
      }
      return fail(ErrorCode::Io,
                  file.string() + ": this file system locks no files (" +
                      std::generic_category().message(number) +
                      "), so that two workers could write over each other; name a folder elsewhere "
                      "with --output");
    }
    if (isStillNamed(descriptor, file)) {
      m_lock = descriptor;
      return {};
    }
    ::close(descriptor);
  }
}

fs::path RunFolder::reportFile() const {
  return m_path / kReportFile;
}

bool RunFolder::hasReport() const {
  std::error_code ignored;
  return fs::exists(reportFile(), ignored);
}

Result<> RunFolder::removeResults() const {
  for (const std::string_view name : kFilesMade) {
    ULP_TRY(removeFile(m_path / name));
    for (const std::string_view suffix : kUnfinished) {
      fs::path unfinished = m_path / name;
      unfinished += suffix;
      ULP_TRY(removeFile(unfinished));
    }
  }
  return removeTensors(m_path / tensors::kRunFolder);
}

}  // namespace ulp::worker
