#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/dumps/exporters/exported_names.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// Names that msprobe gives to calls and files. Only characters that msprobe accepts in paths come
/// out, and no name twice.
class MsprobeNames {
 public:
  /// `isOurs`: of a dump that does not name its calls as msprobe does.
  explicit MsprobeNames(bool isOurs) : m_isOurs(isOurs) {}

  /// "Module.model.norm.LlamaRMSNorm.forward.0", "Functional.linear.3.backward",
  /// "Module.model.norm.LlamaRMSNorm.parameters_grad.0", "loss.0.debug". `fallback` names an entry
  /// that has neither a name nor a module.
  [[nodiscard]] std::string entry(const DumpEntry& entry, std::string_view fallback);
  /// "Module.….forward.0.input.0.pt"; `behind` ("input.0") may be empty.
  [[nodiscard]] std::string file(std::string_view entry, std::string_view behind);

 private:
  /// The first unused "<before>.<number><after>", from `call` on.
  std::string numbered(const std::string& before, std::uint64_t call, std::string_view after);

  bool m_isOurs;
  std::unordered_set<std::string> m_entries;
  UniqueNames m_files;
  std::unordered_map<std::string, std::uint64_t> m_next;  ///< number, where one was taken
};

}  // namespace ulp::dumps
