#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/compat/msprobe/pairs/tensor_metrics.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msprobe/dump_json.h"

namespace ulp::compat::msprobe {

/// Records of the two dumps that are compared with one another, in the order of the target.
struct Pair {
  std::size_t entry = 0;              ///< of the target
  std::size_t target = 0;             ///< in DumpJson::records
  std::size_t golden = dumps::kNone;  ///< in DumpJson::records
};

/// `from: to` of a mapping file, in its order.
using NameMapping = std::vector<std::pair<std::string, std::string>>;
/// A YAML file of texts. Errors: NotFound, Io, InvalidArgument (not such a file).
[[nodiscard]] Result<NameMapping> readNameMapping(const std::filesystem::path& path);

struct PairingRule {
  Generation generation = Generation::V26;
  bool isFuzzy = false;       ///< -fm
  NameMapping dataMapping{};  ///< -dm; empty: none
  NameMapping cellMapping{};  ///< -cm; empty: none
};

/// Outer join on the row's name (8.x: and shape), then the check of dtypes: a golden record of
/// another dtype counts as none, unless both are floating point, or both of one kind where the
/// target is of MindSpore and the golden dump of PyTorch. A mapping of cells goes before one of
/// data. Rows of the golden dump alone are left out, as msprobe does; with `isFuzzy` also those of
/// the target that come after its walk has ended.
[[nodiscard]] std::vector<Pair> pairRecords(const dumps::msprobe::DumpJson& target,
                                            const dumps::msprobe::DumpJson& golden,
                                            const PairingRule& rule);

/// -fm: "Tensor.add.3.forward.input.0" loses its call, "Module.a.Linear.forward.0.input.0" its
/// class; what counts is the first "forward", else the first "backward", wherever it stands.
[[nodiscard]] std::string shortened(std::string_view name);
/// -cm, of the target's name: an entry that is the whole scope, else every one that is part of it;
/// "N/A" where there is neither direction nor gradient in the name.
[[nodiscard]] std::string cellMapped(std::string_view name, const NameMapping& mapping);

}  // namespace ulp::compat::msprobe
