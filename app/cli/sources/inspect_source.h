#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::cli {

/// A tensor that `inspect` lists.
struct InspectItem {
  std::string run;                  ///< empty in a weight file
  Site site;                        ///< of a weight file its name alone
  std::string storedAs;             ///< "bfloat16", "Q4_1"
  std::vector<std::int64_t> shape;  ///< of the whole tensor
  std::uint64_t sampleStride = 1;   ///< every how many elements one is stored
  /// The tensor that it is compared with, in InspectSource::items; nothing: none.
  std::optional<std::size_t> reference{};
};

/// The tensors of a study's folder (tensors.h5), a weight folder, any file of tensors, a dump, or
/// those that a report of dumps compares.
struct InspectSource {
  std::vector<InspectItem> items{};
  /// Reads one of them, by its place in `items`. A sampled tensor comes as a flat array. Elements
  /// may lie elsewhere (tensors::Tensor::parts).
  std::function<Result<tensors::Tensor>(std::size_t index)> read{};
  bool hasRuns = false;   ///< of a study or dumps: items have runs and passes
  bool isOnHost = false;  ///< another machine has the tensors: what is read comes from there
};

/// Errors: NotFound (no such path, a study without tensors), Unsupported, CorruptData. Runs and
/// units that cannot be read are left out, with one line each in `warnings`.
[[nodiscard]] Result<InspectSource> openInspectSource(const std::filesystem::path& path,
                                                      std::vector<std::string>& warnings);

/// What of a source is meant. Empty run or no pass: any.
struct InspectQuery {
  std::string run;
  std::string pass;  ///< as on the command line
  std::string name;
};

/// Indices of the items of a run, pass and name; none where there is no such tensor. Errors:
/// InvalidArgument (unknown run or pass, with those that exist).
[[nodiscard]] Result<std::vector<std::size_t>> itemsLike(const InspectSource& source,
                                                         const InspectQuery& query);

/// Indices of the items of a run, pass and name. Errors: InvalidArgument (unknown run or pass, with
/// those that exist), NotFound (no such tensor, with the nearest names).
[[nodiscard]] Result<std::vector<std::size_t>> findItems(const InspectSource& source,
                                                         const InspectQuery& query);

}  // namespace ulp::cli
