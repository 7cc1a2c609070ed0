#include "core/base/files/shared_library.h"

#include <dlfcn.h>

namespace ulp {

Result<void*> openSharedLibrary(const std::filesystem::path& file, LibraryScope scope) {
  const int visibility = scope == LibraryScope::Global ? RTLD_GLOBAL : RTLD_LOCAL;
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_NODELETE | visibility);
  if (library == nullptr) {
    const char* reason = ::dlerror();  // NOLINT(concurrency-mt-unsafe): kept for each thread
    return fail(ErrorCode::Unsupported, reason != nullptr ? reason : "?");
  }
  return library;
}

}  // namespace ulp
