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
                                                           WhenShortened whenShortened) {
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
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) {
    return std::shared_ptr<const MappedFile>(new MappedFile(path, {}));
  }
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) {
    return openError(path, errno);
  }
  const std::shared_ptr<MappedFile> mapped(
      new MappedFile(path, {static_cast<const std::byte*>(address), size}));
  if (whenShortened == WhenShortened::ReadOnes) {
    mapped->m_guard.emplace(mapped->m_bytes);
    if (!mapped->m_guard->isActive()) {
      return fail(ErrorCode::Io, path.string() + ": too many files are open");
    }
  }
  return mapped;
}

MappedFile::MappedFile(std::filesystem::path path, std::span<const std::byte> bytes)
    : m_path(std::move(path)), m_bytes(bytes) {}

MappedFile::~MappedFile() {
  m_guard.reset();
  if (!m_bytes.empty()) {
    // munmap takes a mutable pointer although the mapping is read-only.
    ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
  }
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
