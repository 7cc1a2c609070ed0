#include "core/base/files/file_writer.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace ulp {

Result<FileWriter> FileWriter::create(const std::filesystem::path& path, std::string_view ending) {
  std::filesystem::path part = path;
  part += ending;
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) {
    return fail(systemError(path, "cannot write", errno));
  }
  return FileWriter(path, std::move(part), fd);
}

FileWriter::FileWriter(std::filesystem::path path, std::filesystem::path part, int fd)
    : m_path(std::move(path)), m_part(std::move(part)), m_fd(fd) {}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_part(std::move(other.m_part)),
      m_fd(std::exchange(other.m_fd, -1)) {}

FileWriter& FileWriter::operator=(FileWriter&& other) noexcept {
  if (this != &other) {
    discard();
    m_path = std::move(other.m_path);
    m_part = std::move(other.m_part);
    m_fd = std::exchange(other.m_fd, -1);
  }
  return *this;
}

FileWriter::~FileWriter() {
  discard();
}

void FileWriter::discard() {
  if (m_fd >= 0) {
    ::close(m_fd);
    ::unlink(m_part.c_str());
    m_fd = -1;
  }
}

Result<> FileWriter::write(std::span<const std::byte> bytes, const MappedFile* from) {
  constexpr std::size_t kPiece = std::size_t{4} << 20;
  while (!bytes.empty()) {
    const ssize_t written = ::write(m_fd, bytes.data(), std::min(bytes.size(), kPiece));
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return fail(systemError(m_path, "cannot write", errno));
    }
    if (from != nullptr) {
      from->release(bytes.first(static_cast<std::size_t>(written)));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<> FileWriter::commit(Durability durability) {
  int failure = durability == Durability::Synced && ::fsync(m_fd) != 0 ? errno : 0;
  if (::close(std::exchange(m_fd, -1)) != 0 && failure == 0) {
    failure = errno;
  }
  if (failure == 0 && ::rename(m_part.c_str(), m_path.c_str()) != 0) {
    failure = errno;
  }
  if (failure != 0) {
    ::unlink(m_part.c_str());
    return fail(systemError(m_path, "cannot write", failure));
  }
  return {};
}

}  // namespace ulp
