#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/text/fnv_hash.h"
#include "core/pictures/pictures.h"

/// What loadPictures() and the library of pictures agree on. Both are built from this header; the
/// fingerprint finds a library that was built from another one.
namespace ulp::pictures {

/// Raised when the meaning of pictures.h changes without changing the size of a structure.
inline constexpr std::uint32_t kPicturesInterfaceVersion = 4;

/// Version and layout of the structures that cross the border (over the sizes).
[[nodiscard]] constexpr std::uint64_t picturesFingerprint() {
  return fnvHash(std::array{static_cast<std::size_t>(kPicturesInterfaceVersion),
                            sizeof(PictureRequest),
                            sizeof(report::LoadedReport),
                            sizeof(report::Report),
                            sizeof(report::Run),
                            sizeof(report::Comparison),
                            sizeof(report::ExportOptions),
                            sizeof(Site),
                            sizeof(Error)});
}

/// The library's one entry point. Returns false, and leaves `pictures` alone, when the fingerprints
/// differ.
using CreatePictures = bool(std::uint64_t fingerprint, std::unique_ptr<Pictures>* pictures);
inline constexpr const char* kCreatePicturesSymbol = "ulpscopeCreatePictures";
inline constexpr const char* kPicturesLibraryName = "libulpscope_pictures.so";
inline constexpr const char* kPicturesLibraryVariable = "ULP_PICTURES_LIBRARY";

}  // namespace ulp::pictures
