#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/analysis/mapping/site_mapping.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// How the module paths of a unit read in the words of the other side: rules and pairs of the
/// mapping, and msprobe's mappings by class. Remembers what it has mapped; not thread-safe.
class ModuleNames {
 public:
  /// Both must outlive it.
  ModuleNames(const dumps::DumpUnit& unit, const SiteMapping& mapping);

  /// `type` is the class of the module, empty where it is not known.
  [[nodiscard]] const std::string& mapped(const std::string& path, const std::string& type);

 private:
  /// A child of a module: where its own part of the path ends, and what it is called instead.
  struct Child {
    std::size_t end = 0;
    std::string name;
  };
  [[nodiscard]] Child childOf(const std::string& type,
                              const std::string& path,
                              std::size_t at) const;
  [[nodiscard]] std::string byLayers(const std::string& path) const;
  [[nodiscard]] std::string byCells(const std::string& path, const std::string& type) const;

  const SiteMapping& m_mapping;
  std::unordered_map<std::string, std::string> m_types;  ///< class by path, where layers need it
  std::unordered_map<std::string, std::string> m_known;
};

}  // namespace ulp::analysis
