#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/text/fnv_hash.h"
#include "core/engine/engine.h"

/// What loadEngine() and the engine's shared library agree on. Both are built from this header; the
/// fingerprint finds a library that was built from another one.
namespace ulp::engine {

/// Raised when the meaning of engine.h changes without changing the size of a structure.
inline constexpr std::uint32_t kEngineInterfaceVersion = 9;

/// Version and layout of engine.h as this translation unit sees them (over the sizes).
[[nodiscard]] constexpr std::uint64_t engineFingerprint() {
  return fnvHash(std::array{static_cast<std::size_t>(kEngineInterfaceVersion),
                            sizeof(PrecisionPlan),
                            sizeof(PrecisionRule),
                            sizeof(ModelRequest),
                            sizeof(ModelInfo),
                            sizeof(TokenBatch),
                            sizeof(Capture),
                            sizeof(numerics::Moments),
                            sizeof(numerics::CompareOptions),
                            sizeof(CaptureScope),
                            sizeof(RunRequest),
                            sizeof(LossPlan),
                            sizeof(LossTermOutcome),
                            sizeof(RunOutcome),
                            sizeof(DeviceInfo),
                            sizeof(FamilyInfo),
                            sizeof(Site),
                            sizeof(Error)});
}

/// The library's one entry point. Returns false, and leaves `engine` alone, when the fingerprints
/// differ.
using CreateEngine = bool(std::uint64_t fingerprint, std::unique_ptr<Engine>* engine);
inline constexpr const char* kCreateEngineSymbol = "ulpscopeCreateEngine";
inline constexpr const char* kEngineLibraryName = "libulpscope_engine.so";
inline constexpr const char* kEngineLibraryVariable = "ULP_ENGINE_LIBRARY";

}  // namespace ulp::engine
