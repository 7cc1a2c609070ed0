#include "core/tensors/hdf5/session.h"

#include <new>
#include <utility>

#include <H5public.h>

#include "core/tensors/archive/byte_source.h"

namespace ulp::tensors {
namespace {

/// Makes the library ready. Throws std::bad_alloc.
herr_t begin() {
  if (!hasMemoryForHdf5()) {
    throw std::bad_alloc();
  }
  // At the end of a program it crashes over files that it gave up for want of memory. Ours are
  // closed by then.
  H5dont_atexit();
  return H5open();
}

std::recursive_mutex& libraryMutex() {
  // The library's state is global to the process, and so is its lock.
  static std::recursive_mutex mutex;
  [[maybe_unused]] static const herr_t kBegun = begin();
  return mutex;
}

/// Keeps the description of the first entry: the innermost one.
herr_t keepReason(unsigned /*depth*/, const H5E_error2_t* entry, void* reason) {
  auto* text = static_cast<std::string*>(reason);
  if (text->empty() && entry->desc != nullptr) {
    *text = entry->desc;
  }
  return 0;
}

/// HDF5 calls this when a function fails; the next function clears the stack, be it one that only
/// closes something.
herr_t catchFailure(hid_t stack, void* reason) {
  return H5Ewalk2(stack, H5E_WALK_UPWARD, keepReason, reason);
}

/// The message of the operating system within a reason such as "file write failed: time = …, errno
/// = 28, error message = 'No space left on device', buf = …"; empty where there is none.
std::string systemMessage(const std::string& reason) {
  constexpr std::string_view kMark = "error message = '";
  const std::size_t start = reason.find(kMark);
  if (start == std::string::npos) {
    return {};
  }
  const std::size_t end = reason.find('\'', start + kMark.size());
  return reason.substr(start + kMark.size(), end - start - kMark.size());
}

}  // namespace

bool hasMemoryForHdf5() {
  constexpr std::size_t kMoreThanItTakes = std::size_t{4} << 20U;
  return allocateBytes(kMoreThanItTakes).has_value();
}

Hdf5Session::Hdf5Session() : m_lock(libraryMutex()) {
  H5Eget_auto2(H5E_DEFAULT, &m_printer, &m_printerData);
  H5Eset_auto2(H5E_DEFAULT, catchFailure, &m_reason);
}

Hdf5Session::~Hdf5Session() {
  H5Eset_auto2(H5E_DEFAULT, m_printer, m_printerData);
}

tl::unexpected<Error> Hdf5Session::error(const std::filesystem::path& path,
                                         std::string_view what,
                                         ErrorCode code) {
  H5E_auto2_t catcher = nullptr;
  void* caught = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &catcher, &caught);
  const std::string reason =
      catcher == catchFailure ? std::exchange(*static_cast<std::string*>(caught), {}) : "";
  const std::string system = systemMessage(reason);
  std::string message = path.string() + ": " + std::string(what);
  const std::string& shown = system.empty() ? reason : system;
  if (!shown.empty()) {
    message += ": " + shown;
  }
  return fail(system.empty() ? code : ErrorCode::Io, message);
}

}  // namespace ulp::tensors
