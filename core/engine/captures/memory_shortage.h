#pragma once

#include <cstdint>

#include <c10/util/Exception.h>

namespace ulp::engine {

/// What had too little memory: a device or the libraries on it, the host, or one of a device and
/// the page-locked part of the host, which CUDA does not tell apart.
enum class Shortage : std::uint8_t { None, Device, Host, DeviceOrPinned };

/// Says which memory was too small when LibTorch threw `e`; None where that was not the reason.
[[nodiscard]] Shortage shortageOf(const c10::Error& e);

}  // namespace ulp::engine
