#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ATen/ATen.h>

#include "core/engine/network/parameters.h"

namespace ulp::engine {

/// The weights as the runs of one study need them one after the other. Successive runs often share
/// formats, so that the last cast of each parameter stays. Of weights that are small beside a
/// device the stored elements stay there as well: another format is then cast without another
/// upload.
class CastWeights {
 public:
  /// How stored elements come to a device.
  struct Uploads {
    /// Gives the elements on a device: themselves where they lie there.
    std::function<at::Tensor(const at::Tensor&, const at::Device&)> copy;
    std::function<std::uint64_t(const at::Device&)> memoryBytes;  ///< of a device but the CPU
  };

  /// `stored`, one a parameter, must outlive the casts.
  explicit CastWeights(const std::vector<at::Tensor>& stored);
  CastWeights(const std::vector<at::Tensor>& stored, Uploads uploads);
  /// Casts a parameter to the device and the format; shares the stored elements where no cast is
  /// needed. What an earlier call made of this parameter for another device or format is dropped
  /// first.
  [[nodiscard]] at::Tensor cast(std::size_t index,
                                const ParameterFormat& format,
                                const at::Device& device);
  /// Gives the stored elements on a device, without a copy where a cast or an earlier call left
  /// them there.
  [[nodiscard]] at::Tensor storedOn(const at::Device& device, std::size_t index);
  /// Lets go of what earlier calls made of a parameter, unless cast() would give just that.
  void keepOnly(std::size_t index, const ParameterFormat& format, const at::Device& device);
  /// Lets go of everything; no stored elements stay on a device from here on.
  void clear();
  /// Counts the bytes of stored elements on a device that no cast shares.
  [[nodiscard]] std::uint64_t spareBytes() const;

 private:
  struct Entry {
    ParameterFormat format;
    at::Device device = at::kCPU;
    at::Tensor elements;    ///< undefined until the first call
    bool isStored = false;  ///< the elements are the stored ones
    at::Tensor uploaded;    ///< the stored elements on a device; undefined where they do not stay
  };

  [[nodiscard]] bool areSmallBeside(const at::Device& device) const;

  const std::vector<at::Tensor>* m_stored;
  Uploads m_uploads;
  std::vector<Entry> m_entries;
  std::uint64_t m_storedBytes = 0;
  bool m_mayStay = true;
};

}  // namespace ulp::engine
