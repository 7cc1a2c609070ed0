#include "core/analysis/mapping/site_mapping.h"

#include <fmt/format.h>
#include <utility>

#include "core/analysis/mapping/mapping_reader.h"
#include "core/base/files/atomic_file.h"
#include "core/base/list_of.h"
#include "core/base/text/regular_expression.h"

namespace ulp::analysis {

struct SiteMapping::Compiled {
  std::vector<RegularExpression> rules;
};

Result<SiteMapping> SiteMapping::make(std::vector<RenameRule> rules,
                                      std::map<std::string, std::string> pairs,
                                      DumpRules dumps) {
  auto compiled = std::make_shared<Compiled>();
  compiled->rules = ULP_TRY(compileExpressions(listOf(rules, &RenameRule::match)));
  SiteMapping mapping;
  mapping.m_rules = std::move(rules);
  if (!pairs.empty()) {
    mapping.m_pairs = std::make_shared<const std::map<std::string, std::string>>(std::move(pairs));
  }
  mapping.m_compiled = std::move(compiled);
  if (dumps != DumpRules()) {
    mapping.m_dumps = std::make_shared<const DumpRules>(std::move(dumps));
  }
  return mapping;
}

Result<SiteMapping> SiteMapping::parse(std::string_view yaml, std::string_view origin) {
  auto content = ULP_TRY(readMapping(yaml, origin));
  return make(std::move(content.rules), std::move(content.pairs), std::move(content.dumps));
}

const std::map<std::string, std::string>& SiteMapping::pairs() const {
  static const std::map<std::string, std::string> kNone;
  return m_pairs ? *m_pairs : kNone;
}

const DumpRules& SiteMapping::dumps() const {
  static const DumpRules kNone;
  return m_dumps ? *m_dumps : kNone;
}

std::string SiteMapping::toYaml() const {
  std::string text;
  if (!m_rules.empty()) {
    text += "rules:\n";
  }
  for (const RenameRule& rule : m_rules) {
    text += fmt::format("  - {{match: {}, replace: {}}}\n",
                        inSingleQuotes(rule.match),
                        inSingleQuotes(rule.replace));
  }
  if (m_pairs) {
    text += "pairs:\n";
  }
  for (const auto& [from, to] : pairs()) {
    text += fmt::format("  {}: {}\n", inSingleQuotes(from), inSingleQuotes(to));
  }
  return text + analysis::toYaml(dumps());
}

Result<std::string> SiteMapping::map(std::string_view name) const {
  std::string result(name);
  if (const auto pair = pairs().find(result); pair != pairs().end()) {
    return pair->second;
  }
  for (std::size_t i = 0; i < m_rules.size(); ++i) {
    result = ULP_TRY(applied(i, result));
  }
  return result;
}

Result<std::string> SiteMapping::applied(std::size_t rule, const std::string& name) const {
  return whileDoing("mapping", m_compiled->rules[rule].replaced(name, m_rules[rule].replace));
}

Result<SiteMapping> withFuzzyCalls(const SiteMapping& mapping) {
  DumpRules dumps = mapping.dumps();
  dumps.isFuzzy = true;
  return SiteMapping::make(mapping.rules(), mapping.pairs(), std::move(dumps));
}

Result<MappingFile> readMappingFile(const std::filesystem::path& path) {
  constexpr std::size_t kLimitBytes = std::size_t{1} << 24;
  auto text = ULP_TRY(readTextFile(path, kLimitBytes));
  auto mapping = ULP_TRY(SiteMapping::parse(text, path.string()));
  return MappingFile{std::move(text), std::move(mapping)};
}

}  // namespace ulp::analysis
