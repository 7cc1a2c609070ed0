#pragma once

namespace ulp::engine {

#ifdef ULP_PACKAGED
inline constexpr bool kIsPackaged = true;
#else
inline constexpr bool kIsPackaged = false;
#endif

/// What helps where a part is missing: whoever has a package has no `make`.
struct Remedy {
  const char* ofCheckout;
  const char* ofPackage;

  [[nodiscard]] constexpr const char* text(bool isPackaged = kIsPackaged) const {
    return isPackaged ? ofPackage : ofCheckout;
  }
};

/// Behind what LibTorch's CUDA half lacks.
inline constexpr Remedy kTorchCudaRemedy{
    .ofCheckout = "run `make setup` with CUDA",
    .ofPackage = "install a torch package with CUDA (python3 -m pip install torch==2.11.0)"};
/// Behind a CUDA plug-in that cannot be loaded.
inline constexpr Remedy kPluginRemedy{.ofCheckout = "build it anew with `make build`",
                                      .ofPackage = "install Ulpscope again"};
/// Where there is none.
inline constexpr Remedy kNoPluginRemedy{
    .ofCheckout = "`make setup-cuda` installs one, and `make build` then adds the plug-in",
    .ofPackage = "install a package of Ulpscope that has it"};

}  // namespace ulp::engine
