#include "runner/worker/capture/capture_spill.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/files/unfinished.h"

namespace ulp::worker {
namespace {

/// A piece of the file in memory, from a page's start on.
class Mapping {
 public:
  Mapping(void* address, std::size_t size) : m_address(address), m_size(size) {}
  ~Mapping() { ::munmap(m_address, m_size); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

 private:
  void* m_address;
  std::size_t m_size;
};

}  // namespace

Result<std::unique_ptr<CaptureSpill>> CaptureSpill::create(const std::filesystem::path& folder) {
  constexpr std::string_view kName = "captures";
  removeUnfinished(folder, kName);
  const std::filesystem::path name = folder / unfinishedName(kName);
  FileDescriptor file(
      ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) {
    return fail(systemError(folder, "cannot keep the tensors of micro-batches", errno));
  }
  ::unlink(name.c_str());
  return std::unique_ptr<CaptureSpill>(new CaptureSpill(folder, std::move(file)));
}

Result<CaptureSpill::Place> CaptureSpill::put(const numerics::TensorView& tensor) {
  Place place{.offset = m_end, .dtype = tensor.dtype, .shape = tensor.shape};
  const auto bytes = tensor.bytes();
  if (const int failure = writeAllAt(m_file.get(), bytes, static_cast<off_t>(m_end));
      failure != 0) {
    return fail(ErrorCode::Io,
                m_folder.string() + ": cannot keep the tensors of micro-batches: " +
                    std::generic_category().message(failure) +
                    "; choose a folder with more room with --output, or a coarser capture.level");
  }
  m_end += bytes.size();
  // Mapped pieces begin where elements of any size are aligned.
  constexpr std::uint64_t kAlignment = 64;
  m_end = (m_end + kAlignment - 1) / kAlignment * kAlignment;
  return place;
}

Result<engine::Capture> CaptureSpill::get(const Place& place) const {
  engine::Capture capture;
  capture.view = {.data = nullptr, .dtype = place.dtype, .shape = place.shape};
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t before = place.offset % page;
  const std::uint64_t size = capture.view.sizeBytes() + before;
  if (size == before) {
    capture.view.data = this;  // no element is read
    return capture;
  }
  void* address = ::mmap(nullptr,
                         size,
                         PROT_READ,
                         MAP_SHARED,
                         m_file.get(),
                         static_cast<off_t>(place.offset - before));
  if (address == MAP_FAILED) {
    return fail(systemError(m_folder, "cannot read the tensors of micro-batches", errno));
  }
  capture.view.data = static_cast<const char*>(address) + before;
  capture.owner = std::make_shared<const Mapping>(address, size);
  return capture;
}

}  // namespace ulp::worker
