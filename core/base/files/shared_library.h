#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/result.h"

namespace ulp {

/// Who sees the names of a shared library: those that ask it, or every library that comes later.
enum class LibraryScope : std::uint8_t { Local, Global };

/// Opens a shared library, which then stays in the process: what it links keeps threads and
/// thread-local destructors. Error: Unsupported, with the reason of the dynamic linker alone.
[[nodiscard]] Result<void*> openSharedLibrary(const std::filesystem::path& file,
                                              LibraryScope scope = LibraryScope::Local);

}  // namespace ulp
