#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/files/mapped_file.h"
#include "core/base/result.h"
#include "core/engine/network/network.h"
#include "core/engine/network/parameters.h"
#include "core/engine/weights/model_source.h"

namespace ulp::engine {

/// The parameters of a model as they are stored.
struct StoredWeights {
  std::vector<at::Tensor> tensors;                      ///< one per ParameterSpec, in its order
  std::set<std::shared_ptr<const MappedFile>> files{};  ///< that elements are mapped from

  /// Checks whether what was computed with them so far may be believed. Error: CorruptData (a file
  /// became shorter or was changed).
  [[nodiscard]] Result<> checkIntact() const;
};

/// Checks names, shapes and dtypes against the network, then maps or decodes every tensor. Errors:
/// CorruptData (missing, unexpected or wrong-shaped tensor, with file and name), Cancelled.
[[nodiscard]] Result<StoredWeights> loadWeights(const ModelSource& source,
                                                const Network& network,
                                                const std::stop_token& stop);

/// Draws the weights that `AutoModelForCausalLM.from_config` makes after `torch.manual_seed(seed)`,
/// bit for bit: every constructor of the network draws first and the results are dropped, then the
/// base model and at last the head are initialised, all from one generator and in `dtype`.
[[nodiscard]] Result<StoredWeights> randomWeights(const Network& network,
                                                  std::uint64_t seed,
                                                  at::ScalarType dtype,
                                                  const std::stop_token& stop);

/// The weights as the runs of one study need them one after the other. Successive runs often share
/// formats, so that the last cast of each parameter stays. Of weights that are small beside a
/// device the stored elements stay there as well: another format is then cast without another
/// upload.
class CastWeights {
 public:
  /// `stored` must outlive the casts.
  explicit CastWeights(const StoredWeights& stored);
  /// Casts a parameter to the device and the format; shares the stored elements where no cast is
  /// needed. What an earlier call made of this parameter for another device or format is dropped
  /// first.
  [[nodiscard]] at::Tensor cast(std::size_t index,
                                const ParameterFormat& format,
                                const at::Device& device);
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
    at::Tensor elements;  ///< undefined until the first call
    at::Tensor uploaded;  ///< the stored elements on a device; undefined where they do not stay
  };

  /// The stored elements on a device.
  [[nodiscard]] at::Tensor storedOn(const at::Device& device, std::size_t index);
  [[nodiscard]] bool areSmallBeside(const at::Device& device) const;

  const StoredWeights* m_stored;
  std::vector<Entry> m_entries;
  std::uint64_t m_storedBytes = 0;
  bool m_mayStay = true;
};

}  // namespace ulp::engine
