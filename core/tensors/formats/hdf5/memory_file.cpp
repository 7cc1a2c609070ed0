#include "core/tensors/formats/hdf5/memory_file.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ulp::tensors {
namespace {

tl::unexpected<Error> sharingError(int number) {
  return fail(ErrorCode::Io, "memory to share: " + std::generic_category().message(number));
}

tl::unexpected<Error> noMemory(std::size_t size) {
  return fail(ErrorCode::OutOfMemory,
              "no memory for a tensor of " + std::to_string(size) + " bytes");
}

}  // namespace

Result<MemoryFile> MemoryFile::create() {
  FileDescriptor file(::memfd_create("ulpscope", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) {
    return sharingError(errno);
  }
  return MemoryFile(std::move(file));
}

Result<MemoryFile> MemoryFile::create(std::size_t size) {
  auto file = ULP_TRY(create());
  if (!std::in_range<off_t>(size) ||
      ::ftruncate(file.descriptor(), static_cast<off_t>(size)) != 0) {
    return noMemory(size);
  }
  if (::fcntl(file.descriptor(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return sharingError(errno);
  }
  file.m_size = size;
  return file;
}

Result<std::vector<std::byte>> MemoryFile::content(std::size_t most) const {
  struct stat status {};
  if (::fstat(descriptor(), &status) != 0) {
    return sharingError(errno);
  }
  if (std::cmp_greater(status.st_size, most)) {
    return fail(ErrorCode::CorruptData,
                "memory to share: more than " + std::to_string(most) + " bytes were written");
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        ::pread(descriptor(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno != EINTR) {
      return sharingError(errno);
    }
    if (count == 0) {
      bytes.resize(done);
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  return bytes;
}

Result<std::shared_ptr<std::byte[]>> MemoryFile::map() const {
  if (m_size == 0) {
    return std::make_shared<std::byte[]>(1);
  }
  void* const address =
      ::mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor(), 0);
  if (address == MAP_FAILED) {
    return noMemory(m_size);
  }
  return std::shared_ptr<std::byte[]>(static_cast<std::byte*>(address),
                                      [size = m_size](std::byte* bytes) { ::munmap(bytes, size); });
}

}  // namespace ulp::tensors
