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
#include "core/base/files/file_in_place.h"
#include "core/base/files/folders.h"
#include "core/base/files/unfinished.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/token_texts.h"
#include "core/tensors/store/capture_layout.h"
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

/// A folder may come from others: what a link in it leads to is not for us to change.
Result<> refuseLink(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_symlink(fs::symlink_status(folder, ignored))) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              folder.string() +
                  ": is a link, and nothing is written to what it leads to; remove it, or name "
                  "another folder with --output");
}

/// Captured tensors lie in a folder of their own, one file a run.
Result<> removeTensors(const fs::path& folder) {
  removeUnfinished(folder);
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    const fs::path name = entry->path().filename();
    // Earlier versions called what was not complete `.part`.
    if ((name.extension() != ".h5" && name.extension() != ".part") ||
        !entry->is_regular_file(code)) {
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
  const auto made = makeFolders(path);
  if (!made) {
    return fail(made.error().code(), made.error().message() + "; name another with --output");
  }
  const bool isNew = *made;
  std::unique_ptr<RunFolder> folder(new RunFolder(path, isNew));
  ULP_TRY(folder->lock());
  ULP_TRY(refuseLink(path / tensors::kRunFolder));
  if (existing == ExistingResults::Refuse && hasResults(path)) {
    return fail(ErrorCode::InvalidArgument,
                path.string() +
                    ": holds results already; continue them with `run --resume`, replace them with "
                    "--overwrite, or name another folder with --output");
  }
  return folder;
}

RunFolder::RunFolder(fs::path path, bool isNew) : m_path(std::move(path)), m_isNew(isNew) {}

RunFolder::~RunFolder() {
  if (!m_lock) {
    return;
  }
  ::unlink((m_path / kLockFile).c_str());
  if (m_isNew) {
    ::rmdir(m_path.c_str());  // fails, as it should, when it holds something
  }
}

Result<> RunFolder::lock() {
  const fs::path file = m_path / kLockFile;
  while (true) {
    FileDescriptor opened = ULP_TRY(openInPlace(file, O_CREAT));
    if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) {
        return fail(ErrorCode::InvalidArgument,
                    m_path.string() +
                        ": another worker writes to this folder; wait until it is done or name "
                        "another folder with --output");
      }
      return fail(ErrorCode::Io,
                  file.string() + ": this file system locks no files (" +
                      std::generic_category().message(errno) +
                      "), so that two workers could write over each other; name a folder elsewhere "
                      "with --output");
    }
    if (isStillNamed(opened.get(), file)) {
      m_lock = std::move(opened);
      return {};
    }
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
    removeUnfinished(m_path, name);
  }
  return removeTensors(m_path / tensors::kRunFolder);
}

}  // namespace ulp::worker
