#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ulp::queue {

/// By which numbers CUDA knows the devices of a machine: variables of the environment.
struct CudaNumbering {
  std::optional<std::string> visible{};  ///< CUDA_VISIBLE_DEVICES; nothing: it is not set
  bool isByBus = false;                  ///< CUDA_DEVICE_ORDER is PCI_BUS_ID

  [[nodiscard]] static CudaNumbering ofEnvironment();
  /// Whether no device can be visible, whatever there is.
  [[nodiscard]] bool hidesAll() const;
};

/// A GPU as the driver's management library knows it.
struct GpuCard {
  std::string name;  ///< empty: not known
  std::string uuid;  ///< "GPU-…"
};

/// What one of CUDA's devices is; neither: which one is not known.
struct CudaDevice {
  std::optional<std::size_t> card{};  ///< its place among the cards
  std::string migUuid{};              ///< "MIG-…", of the part of a card in place of one

  friend bool operator==(const CudaDevice&, const CudaDevice&) = default;
};

/// The number of "cuda:1", "cuda" (0). Nothing for another device.
[[nodiscard]] std::optional<std::size_t> cudaNumberOf(std::string_view device);

/// "GPU-…", or "MIG-…" of a part of a card.
[[nodiscard]] bool isGpuUuid(std::string_view device);
/// "GPU-aa11+cpu" of "cuda:0+cpu" and the UUIDs of cuda:0, cuda:1, …; a device whose UUID is not
/// among them stays as it is.
[[nodiscard]] std::string namedByUuid(std::string_view device,
                                      const std::vector<std::string>& uuids);

/// Tells what cuda:0, cuda:1, … are, of `cards` in the order of the PCI bus, as CUDA's programming
/// guide has it: the list of visible devices ends in front of the first entry that names none, the
/// beginning of a UUID names the only one that begins so, one named twice hides all, and of parts
/// of cards the first alone is seen. Without an order by bus CUDA begins with the fastest card:
/// among different ones only a UUID then tells which it is.
[[nodiscard]] std::vector<CudaDevice> cudaDevices(const std::vector<GpuCard>& cards,
                                                  const CudaNumbering& numbering);

}  // namespace ulp::queue
