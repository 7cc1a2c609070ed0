#include "core/dumps/exporters/staged_target.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/error.h"
#include "core/dumps/model/folders.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

/// A folder that an export made, or that holds nothing.
bool isOursOrEmpty(const fs::path& folder) {
  std::error_code status;
  return isFile(folder / kExportMark) || (isFolder(folder) && fs::is_empty(folder, status));
}

tl::unexpected<Error> notOurs(const fs::path& target) {
  return fail(
      ErrorCode::InvalidArgument,
      fmt::format("{}: is no export of Ulpscope (it holds no {}), and is not replaced; name "
                  "another folder, or delete it yourself",
                  target.string(),
                  kExportMark));
}

Result<> checkReplaceable(const fs::path& target, bool isFile, bool mayReplace) {
  std::error_code status;
  const fs::file_status its = fs::symlink_status(target, status);
  if (!fs::exists(its)) {
    return {};
  }
  if (!mayReplace) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: exists already; name another, or replace it with --overwrite",
                            target.string()));
  }
  if (!isFile && fs::is_symlink(its)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: is a link, and is not replaced; name the folder that it leads to",
                            target.string()));
  }
  const bool isReplaceable = isFile ? dumps::isFile(target) : isOursOrEmpty(target);
  return isReplaceable ? Result<>() : notOurs(target);
}

/// All that was written to the file system of the folder is on the disk.
Result<> syncFileSystem(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int failure = fd >= 0 && ::syncfs(fd) == 0 ? 0 : errno;
  if (fd >= 0) {
    ::close(fd);
  }
  return failure == 0 ? Result<>() : fail(systemError(folder, "cannot write", failure));
}

std::uint64_t sizeOf(const fs::path& folder) {
  std::uint64_t bytes = 0;
  eachFile(folder, [&](const fs::path& file) {
    std::error_code ignored;
    bytes += fs::file_size(file, ignored);
    return true;
  });
  return bytes;
}

}  // namespace

Result<StagedTarget> StagedTarget::create(const fs::path& target, bool isFile, bool mayReplace) {
  fs::path clean = normalPath(target);
  if (!isFolder(clean.parent_path())) {
    return fail(
        ErrorCode::NotFound,
        fmt::format(
            "{}: the folder {} does not exist", target.string(), clean.parent_path().string()));
  }
  ULP_TRY(checkReplaceable(clean, isFile, mayReplace));
  std::string staging = clean.string() + ".part-XXXXXX";
  if (::mkdtemp(staging.data()) == nullptr) {
    return fail(systemError(clean, "cannot write", errno));
  }
  StagedTarget staged(std::move(clean), std::move(staging), isFile, mayReplace);
  // Not the folder of mkdtemp() itself, which is for its owner alone.
  if (::mkdir(staged.folder().c_str(), 0777) != 0) {
    return fail(systemError(staged.m_target, "cannot write", errno));
  }
  return {std::move(staged)};
}

StagedTarget::StagedTarget(fs::path target, fs::path staging, bool isFile, bool mayReplace)
    : m_target(std::move(target)),
      m_staging(std::move(staging)),
      m_isFile(isFile),
      m_mayReplace(mayReplace) {}

StagedTarget::StagedTarget(StagedTarget&& other) noexcept
    : m_target(std::move(other.m_target)),
      m_staging(std::exchange(other.m_staging, fs::path())),
      m_isFile(other.m_isFile),
      m_mayReplace(other.m_mayReplace) {}

StagedTarget::~StagedTarget() {
  if (!m_staging.empty()) {
    std::error_code ignored;
    fs::remove_all(m_staging, ignored);
  }
}

Result<std::uint64_t> StagedTarget::commit() {
  const std::uint64_t bytes = sizeOf(folder());
  ULP_TRY(syncFileSystem(folder()));
  ULP_TRY(rename());
  return bytes;
}

Result<> StagedTarget::rename() {
  const fs::path from = m_isFile ? file() : folder();
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, m_target.c_str(), RENAME_NOREPLACE) == 0) {
    return {};
  }
  // A file system without such a rename says EINVAL.
  if (errno != EEXIST && errno != EINVAL && errno != ENOSYS) {
    return fail(systemError(m_target, "cannot write", errno));
  }
  // What is there now need not be what was there before all was written.
  ULP_TRY(checkReplaceable(m_target, m_isFile, m_mayReplace));
  if (::rename(from.c_str(), m_target.c_str()) == 0) {
    return {};
  }
  if (!m_isFile && (errno == ENOTEMPTY || errno == EEXIST)) {
    return replaceFolder();
  }
  return fail(systemError(m_target, "cannot write", errno));
}

Result<> StagedTarget::replaceFolder() {
  const fs::path old = m_staging / "old";
  if (::rename(m_target.c_str(), old.c_str()) != 0) {
    return fail(systemError(m_target, "cannot write", errno));
  }
  // Looked at where nobody puts anything into its place any more.
  const bool isOurs = isOursOrEmpty(old);
  if (isOurs && ::rename(folder().c_str(), m_target.c_str()) == 0) {
    return {};
  }
  const int failure = errno;
  if (::rename(old.c_str(), m_target.c_str()) != 0) {
    const int again = errno;
    m_staging.clear();  // Nothing is lost: what was there stays where it is.
    return fail(ErrorCode::Io,
                fmt::format("{}: cannot be replaced: {}; what was there is now {}",
                            m_target.string(),
                            std::generic_category().message(isOurs ? failure : again),
                            old.string()));
  }
  return isOurs ? fail(systemError(m_target, "cannot write", failure)) : notOurs(m_target);
}

}  // namespace ulp::dumps
