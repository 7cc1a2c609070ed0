#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/mapping/dump_rules.h"
#include "core/base/result.h"

namespace ulp::analysis {

/// Every name that `match` fits (searched anywhere) is rewritten; `replace` may use $1
/// (RegularExpression::replaced()).
struct RenameRule {
  std::string match;
  std::string replace;

  friend bool operator==(const RenameRule&, const RenameRule&) = default;
};

/// How the row names of one source read in the words of another. Rules are applied one after the
/// other in their order, each to what the one before left; a name with a pair takes that instead.
/// What a mapping says of dumps alone goes with it. Copies share the compiled rules and the pairs.
class SiteMapping {
 public:
  SiteMapping() = default;
  /// Errors: InvalidArgument for a rule that is no regular expression, naming it.
  [[nodiscard]] static Result<SiteMapping> make(std::vector<RenameRule> rules,
                                                std::map<std::string, std::string> pairs,
                                                DumpRules dumps = {});
  /// Reads what toYaml() writes, and msprobe's mapping files (docs/mapping.md). Errors:
  /// InvalidArgument as `origin:line:column: what`.
  [[nodiscard]] static Result<SiteMapping> parse(std::string_view yaml, std::string_view origin);

  /// `rules: [{match, replace}]`, `pairs: {name: other}` and what dumps() says.
  [[nodiscard]] std::string toYaml() const;
  /// Errors: Unsupported where a rule takes too many steps for the name.
  [[nodiscard]] Result<std::string> map(std::string_view name) const;
  /// `name` rewritten by one of the rules alone. Errors: as of map().
  [[nodiscard]] Result<std::string> applied(std::size_t rule, const std::string& name) const;
  [[nodiscard]] bool isEmpty() const { return !hasNames() && !m_dumps; }
  /// map() may change a name.
  [[nodiscard]] bool hasNames() const { return !m_rules.empty() || m_pairs; }
  [[nodiscard]] const std::vector<RenameRule>& rules() const { return m_rules; }
  [[nodiscard]] const std::map<std::string, std::string>& pairs() const;
  [[nodiscard]] const DumpRules& dumps() const;

 private:
  struct Compiled;

  std::vector<RenameRule> m_rules;
  std::shared_ptr<const std::map<std::string, std::string>> m_pairs;  ///< null: there are none
  std::shared_ptr<const Compiled> m_compiled;
  std::shared_ptr<const DumpRules> m_dumps;  ///< null: nothing is said
};

/// The same mapping, by which calls are paired in order, too, whatever their numbers
/// (DumpRules::isFuzzy). Errors: those of SiteMapping::make().
[[nodiscard]] Result<SiteMapping> withFuzzyCalls(const SiteMapping& mapping);

struct MappingFile {
  std::string text;  ///< as it stands in the file, which is what a report keeps
  SiteMapping mapping;
};

/// Reads a mapping file of at most 16 MiB. Errors: those of readTextFile() and
/// SiteMapping::parse(), both of which name the file.
[[nodiscard]] Result<MappingFile> readMappingFile(const std::filesystem::path& path);

}  // namespace ulp::analysis
