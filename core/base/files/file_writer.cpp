#include "core/base/files/file_writer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>

#include "core/base/files/folders.h"
#include "core/base/files/in_pieces.h"
#include "core/base/files/unfinished.h"

namespace ulp {
namespace fs = std::filesystem;

Result<fs::path> followLinks(const fs::path& path) {
  constexpr int kMostLinks = 40;  // as the system
  fs::path target = path;
  std::error_code failed;
  for (int i = 0; i < kMostLinks; ++i) {
    if (!fs::is_symlink(fs::symlink_status(target, failed))) {
      return target;
    }
    // An absolute one takes the place of the whole.
    target = target.parent_path() / fs::read_symlink(target, failed);
  }
  return fail(systemError(path, "cannot write", ELOOP));
}

void takeAttributes(int file, const fs::path& replaced) {
  constexpr const char* kAccessList = "system.posix_acl_access";
  struct stat old {};
  if (::lstat(replaced.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) {
    return;
  }
  const bool hasGroup = ::fchown(file, old.st_uid, old.st_gid) == 0 ||
                        ::fchown(file, static_cast<uid_t>(-1), old.st_gid) == 0;
  const mode_t mode = old.st_mode & 0777U;
  // What a group may do is not for another group to do.
  const mode_t others = (mode & 07U) << 3U;
  ::fchmod(file, hasGroup ? mode : mode & (0707U | others));
  std::array<char, 4096> list{};
  const ssize_t size = ::lgetxattr(replaced.c_str(), kAccessList, list.data(), list.size());
  if (size > 0 && hasGroup) {
    ::fsetxattr(file, kAccessList, list.data(), static_cast<std::size_t>(size), 0);
  }
}

Result<FileWriter> FileWriter::create(const fs::path& path, LinkPolicy links) {
  auto target = ULP_TRY(links == LinkPolicy::Follow ? followLinks(path) : Result<fs::path>(path));
  FileWriter writer(path, std::move(target));
  ULP_TRY(writer.open());
  return {std::move(writer)};
}

FileWriter::FileWriter(fs::path path, fs::path target)
    : m_path(std::move(path)), m_target(std::move(target)) {}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_target(std::move(other.m_target)),
      m_folder(std::move(other.m_folder)),
      m_file(std::move(other.m_file)),
      m_part(std::exchange(other.m_part, {})) {}

FileWriter& FileWriter::operator=(FileWriter&& other) noexcept {
  if (this != &other) {
    discard();
    m_path = std::move(other.m_path);
    m_target = std::move(other.m_target);
    m_folder = std::move(other.m_folder);
    m_file = std::move(other.m_file);
    m_part = std::exchange(other.m_part, {});
  }
  return *this;
}

FileWriter::~FileWriter() {
  discard();
}

Result<> FileWriter::open() {
  const fs::path folder = m_target.has_parent_path() ? m_target.parent_path() : fs::path(".");
  const std::string name = m_target.filename().string();
  m_folder = openFolder(folder);
  if (!m_folder) {
    return writeError(errno);
  }
  struct stat old {};
  const bool isThere = ::fstatat(m_folder.get(), name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  const bool isReplaced = isThere && !S_ISLNK(old.st_mode);
  if (isReplaced && !S_ISREG(old.st_mode)) {
    return fail(
        ErrorCode::Io,
        m_path.string() + ": is there and no file, and is not replaced; choose another name");
  }
  if (isReplaced && ::faccessat(m_folder.get(), name.c_str(), W_OK, AT_EACCESS) != 0) {
    return writeError(errno);
  }
  ULP_TRY(makePart(name, isReplaced ? 0600 : 0666));
  takeAttributes(m_file.get(), m_target);
  return {};
}

Result<> FileWriter::makePart(const std::string& name, mode_t mode) {
  constexpr int kNew = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    std::string part = unfinishedName(name);
    m_file = FileDescriptor(::openat(m_folder.get(), part.c_str(), kNew, mode));
    if (!m_file && errno != EEXIST) {
      return writeError(errno);
    }
    if (m_file && markUnfinished(m_file.get(), m_folder.get(), part)) {
      m_part = std::move(part);
      return {};
    }
  }
  return writeError(EEXIST);
}

void FileWriter::discard() {
  if (!m_part.empty()) {
    ::unlinkat(m_folder.get(), m_part.c_str(), 0);
    m_part.clear();
  }
  m_file = {};
}

tl::unexpected<Error> FileWriter::writeError(int number) const {
  return fail(systemError(m_path, "cannot write", number));
}

Result<> FileWriter::write(std::span<const std::byte> bytes) {
  const int failure = writeAll(m_file.get(), bytes);
  return failure == 0 ? Result<>() : writeError(failure);
}

Result<> FileWriter::stream(std::span<const std::byte> bytes,
                            const MappedFile* from,
                            const SeePiece& see) {
  return inPieces(bytes, from, [&](std::span<const std::byte> piece) {
    if (see) {
      see(piece);
    }
    return write(piece);
  });
}

Result<> FileWriter::overwrite(std::span<const std::byte> bytes, std::uint64_t offset) {
  const int failure = writeAllAt(m_file.get(), bytes, static_cast<off_t>(offset));
  return failure == 0 ? Result<>() : writeError(failure);
}

Result<> FileWriter::commit(Durability durability) {
  const bool isSynced = durability == Durability::Synced;
  const std::string name = m_target.filename().string();
  if ((isSynced && ::fsync(m_file.get()) != 0) ||
      ::renameat(m_folder.get(), m_part.c_str(), m_folder.get(), name.c_str()) != 0) {
    const int failure = errno;
    discard();
    return writeError(failure);
  }
  m_part.clear();
  // Closed behind the rename, since what is open under a name of ours counts as being written.
  int failure = m_file.close();
  if (isSynced && failure == 0) {
    failure = syncFolder(m_folder.get());
    removeUnfinished(m_target.has_parent_path() ? m_target.parent_path() : fs::path("."), name);
  }
  return failure == 0 ? Result<>() : writeError(failure);
}

}  // namespace ulp
