#include "core/base/files/mapped_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/files/file_descriptor.h"

namespace ulp {
namespace {

tl::unexpected<Error> openError(const std::filesystem::path& path, int number) {
  const ErrorCode code = number == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
  return fail(code, path.string() + ": " + std::generic_category().message(number));
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path,
                                                           Rewriting rewriting) {
  // Opening a named pipe would wait for somebody to write to it.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) {
    return openError(path, errno);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    return openError(path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::Io, path.string() + ": not a regular file");
  }
  std::span<const std::byte> bytes;
  if (const auto size = static_cast<std::size_t>(status.st_size); size > 0) {
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (address == MAP_FAILED) {
      return openError(path, errno);
    }
    bytes = {static_cast<const std::byte*>(address), size};
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(path, bytes, status, rewriting));
}

MappedFile::MappedFile(std::filesystem::path path,
                       std::span<const std::byte> bytes,
                       const struct stat& status,
                       Rewriting rewriting)
    : m_path(std::move(path)), m_bytes(bytes), m_status(status), m_rewriting(rewriting) {
  if (!m_bytes.empty()) {
    m_guard.emplace(m_bytes);
  }
}

MappedFile::~MappedFile() {
  m_guard.reset();
  if (!m_bytes.empty()) {
    // munmap takes a mutable pointer although the mapping is read-only.
    ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
  }
}

Result<> MappedFile::checkIntact() const {
  struct stat now {};
  // What has no name any more, or bears another one, nobody writes to.
  const bool isNamed = ::stat(m_path.c_str(), &now) == 0 && now.st_dev == m_status.st_dev &&
                       now.st_ino == m_status.st_ino;
  if ((m_guard && m_guard->wasHit()) || (isNamed && now.st_size < m_status.st_size)) {
    return fail(ErrorCode::CorruptData,
                m_path.string() +
                    ": the file became shorter while it was open; put the whole file back and "
                    "open it again, or make it anew");
  }
  const bool isSame = !isNamed || (now.st_size == m_status.st_size &&
                                   now.st_mtim.tv_sec == m_status.st_mtim.tv_sec &&
                                   now.st_mtim.tv_nsec == m_status.st_mtim.tv_nsec);
  if (isSame || m_rewriting == Rewriting::Expected) {
    return {};
  }
  return fail(ErrorCode::CorruptData,
              m_path.string() +
                  ": the file was changed while it was open, so that what was read may be old and "
                  "new at once; open it again when nothing writes to it any more");
}

void MappedFile::release(std::span<const std::byte> part) const {
  if (part.empty()) {
    return;
  }
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto offset = static_cast<std::size_t>(part.data() - m_bytes.data());
  const std::size_t begin = offset / page * page;
  // A private mapping that is only read has nothing to lose: the file still has every page. The
  // call can fail only on pages that are locked, which then simply stay.
  ::madvise(
      const_cast<std::byte*>(m_bytes.data()) + begin, offset + part.size() - begin, MADV_DONTNEED);
}

}  // namespace ulp
