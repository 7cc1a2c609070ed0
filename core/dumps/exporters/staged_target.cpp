#include "core/dumps/exporters/staged_target.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/files/file_writer.h"
#include "core/base/files/folders.h"
#include "core/base/files/unfinished.h"
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
  if (isFile && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) {
    return fail(systemError(target, "cannot write", errno));
  }
  const bool isReplaceable = isFile ? dumps::isFile(target) : isOursOrEmpty(target);
  return isReplaceable ? Result<>() : notOurs(target);
}

/// All that was written to the file system of the folder is on the disk.
Result<> syncFileSystem(const fs::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int failure = opened && ::syncfs(opened.get()) == 0 ? 0 : errno;
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
  if (isFile) {
    clean = ULP_TRY(followLinks(clean));
  }
  if (!isFolder(clean.parent_path())) {
    return fail(
        ErrorCode::NotFound,
        fmt::format(
            "{}: the folder {} does not exist", target.string(), clean.parent_path().string()));
  }
  ULP_TRY(checkReplaceable(clean, isFile, mayReplace));
  removeUnfinished(clean.parent_path(), clean.filename().string());
  StagedTarget staged(std::move(clean), isFile, mayReplace);
  ULP_TRY(staged.makeFolder());
  return {std::move(staged)};
}

StagedTarget::StagedTarget(fs::path target, bool isFile, bool mayReplace)
    : m_target(std::move(target)), m_isFile(isFile), m_mayReplace(mayReplace) {}

StagedTarget::StagedTarget(StagedTarget&& other) noexcept
    : m_target(std::move(other.m_target)),
      m_staging(std::exchange(other.m_staging, fs::path())),
      m_mark(std::move(other.m_mark)),
      m_isFile(other.m_isFile),
      m_mayReplace(other.m_mayReplace) {}

StagedTarget::~StagedTarget() {
  if (!m_staging.empty()) {
    std::error_code ignored;
    fs::remove_all(m_staging, ignored);
  }
}

Result<> StagedTarget::makeFolder() {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    const fs::path staging = m_target.parent_path() / unfinishedName(m_target.filename().string());
    if (::mkdir(staging.c_str(), 0700) != 0) {
      return writeError(errno);
    }
    m_mark = FileDescriptor(::open(staging.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const int failure = m_mark ? 0 : errno;
    if (m_mark && markUnfinished(m_mark.get(), AT_FDCWD, staging.string())) {
      m_staging = staging;
      // It gets the rights of any new one.
      return ::mkdir(folder().c_str(), 0777) == 0 ? Result<>() : writeError(errno);
    }
    ::rmdir(staging.c_str());
    // Another export to this place may take what has no mark yet for what was left behind.
    if (failure != 0 && failure != ENOENT) {
      return writeError(failure);
    }
  }
  return writeError(EEXIST);
}

tl::unexpected<Error> StagedTarget::writeError(int number) const {
  return fail(systemError(m_target, "cannot write", number));
}

Result<std::uint64_t> StagedTarget::commit() {
  const std::uint64_t bytes = sizeOf(folder());
  ULP_TRY(syncFileSystem(folder()));
  ULP_TRY(rename());
  ULP_TRY(syncFolder(m_target.parent_path()));
  return bytes;
}

Result<> StagedTarget::rename() {
  const fs::path from = m_isFile ? file() : folder();
  if (m_isFile) {
    takeAttributes(FileDescriptor(::open(from.c_str(), O_RDONLY | O_CLOEXEC)).get(), m_target);
  }
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, m_target.c_str(), RENAME_NOREPLACE) == 0) {
    return {};
  }
  // A file system without such a rename says EINVAL.
  if (errno != EEXIST && errno != EINVAL && errno != ENOSYS) {
    return writeError(errno);
  }
  // What is there now need not be what was there before all was written.
  ULP_TRY(checkReplaceable(m_target, m_isFile, m_mayReplace));
  if (::rename(from.c_str(), m_target.c_str()) == 0) {
    return {};
  }
  if (!m_isFile && (errno == ENOTEMPTY || errno == EEXIST)) {
    return exchangeFolders();
  }
  return writeError(errno);
}

/// In one step, so that whoever is killed meanwhile leaves the one or the other.
Result<> StagedTarget::exchangeFolders() {
  const auto exchange = [this] {
    return ::renameat2(AT_FDCWD, folder().c_str(), AT_FDCWD, m_target.c_str(), RENAME_EXCHANGE) ==
           0;
  };
  if (!exchange()) {
    return errno == EINVAL || errno == ENOSYS ? replaceFolder() : writeError(errno);
  }
  // Looked at where nobody puts anything into its place any more.
  if (isOursOrEmpty(folder())) {
    return {};
  }
  return exchange() ? Result<>(notOurs(m_target)) : putBack(folder(), notOurs(m_target).value());
}

Result<> StagedTarget::replaceFolder() {
  const fs::path old = m_staging / kReplacedName;
  if (::rename(m_target.c_str(), old.c_str()) != 0) {
    return writeError(errno);
  }
  const bool isOurs = isOursOrEmpty(old);
  if (isOurs && ::rename(folder().c_str(), m_target.c_str()) == 0) {
    return {};
  }
  return putBack(old, isOurs ? writeError(errno).value() : notOurs(m_target).value());
}

Result<> StagedTarget::putBack(const fs::path& old, const Error& reason) {
  if (::rename(old.c_str(), m_target.c_str()) == 0) {
    return tl::unexpected<Error>(reason);
  }
  const int failure = errno;
  // Nothing is lost: what was there stays, under the name that keeps it from being removed.
  const fs::path named = m_staging / kReplacedName;
  const bool isNamed = old == named || ::rename(old.c_str(), named.c_str()) == 0;
  m_staging.clear();
  return fail(ErrorCode::Io,
              fmt::format("{}: cannot be replaced: {}; what was there is now {}",
                          m_target.string(),
                          std::generic_category().message(failure),
                          (isNamed ? named : old).string()));
}

}  // namespace ulp::dumps
