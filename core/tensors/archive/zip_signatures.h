#pragma once

#include <cstdint>

namespace ulp::tensors {

// What the parts of a zip archive begin with.
inline constexpr std::uint32_t kZipLocalHeader = 0x04034B50;
inline constexpr std::uint32_t kZipDirectoryEntry = 0x02014B50;
inline constexpr std::uint32_t kZipDirectoryEnd = 0x06054B50;
inline constexpr std::uint32_t kZipDirectoryEnd64 = 0x06064B50;
inline constexpr std::uint32_t kZipDirectoryLocator64 = 0x07064B50;

}  // namespace ulp::tensors
