#include "core/analysis/site_mapping.h"

#include <fmt/format.h>
#include <regex>
#include <utility>

#include "core/study/yaml_tree.h"

namespace ulp::analysis {
namespace {

using study::YamlNode;

tl::unexpected<Error> failAt(std::string_view origin,
                             study::SourcePosition position,
                             std::string_view what) {
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}:{}:{}: {}", origin, position.line, position.column, what));
}

Result<RenameRule> ruleOf(const YamlNode& node, std::string_view origin) {
  RenameRule rule;
  bool hasMatch = false;
  bool hasReplace = false;
  if (node.kind != YamlNode::Kind::Map) {
    return failAt(origin, node.position, "a rule is a map of 'match' and 'replace'");
  }
  for (const YamlNode::Entry& entry : node.entries) {
    if (entry.value.kind != YamlNode::Kind::Scalar) {
      return failAt(origin, entry.value.position, fmt::format("'{}' must be a text", entry.key));
    }
    if (entry.key == "match") {
      rule.match = entry.value.text;
      hasMatch = true;
    } else if (entry.key == "replace") {
      rule.replace = entry.value.text;
      hasReplace = true;
    } else {
      return failAt(origin,
                    entry.position,
                    fmt::format("unknown key '{}'; a rule has 'match' and 'replace'", entry.key));
    }
  }
  if (!hasMatch || !hasReplace) {
    return failAt(origin, node.position, "a rule needs both 'match' and 'replace'");
  }
  return rule;
}

Result<std::vector<RenameRule>> rulesOf(const YamlNode& node, std::string_view origin) {
  std::vector<RenameRule> rules;
  if (node.kind != YamlNode::Kind::List) {
    return failAt(origin, node.position, "'rules' must be a list");
  }
  for (const YamlNode& item : node.items) {
    auto rule = ruleOf(item, origin);
    if (!rule) {
      return tl::unexpected<Error>(std::move(rule.error()));
    }
    if (const auto one = SiteMapping::make({*rule}, {}); !one) {
      return failAt(origin, item.position, one.error().message());
    }
    rules.push_back(std::move(*rule));
  }
  return rules;
}

Result<std::map<std::string, std::string>> pairsOf(const YamlNode& node, std::string_view origin) {
  std::map<std::string, std::string> pairs;
  if (node.kind != YamlNode::Kind::Map) {
    return failAt(origin, node.position, "'pairs' must be a map of name to name");
  }
  for (const YamlNode::Entry& entry : node.entries) {
    if (entry.value.kind != YamlNode::Kind::Scalar) {
      return failAt(origin, entry.value.position, "a name is paired with one name");
    }
    if (!pairs.emplace(entry.key, entry.value.text).second) {
      return failAt(origin, entry.position, fmt::format("'{}' is paired twice", entry.key));
    }
  }
  return pairs;
}

/// Single quotes keep every character of a regular expression as it is.
std::string inSingleQuotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    result += c;
    if (c == '\'') {
      result += c;
    }
  }
  return result + "'";
}

}  // namespace

struct SiteMapping::Compiled {
  std::vector<std::regex> rules;
};

Result<SiteMapping> SiteMapping::make(std::vector<RenameRule> rules,
                                      std::map<std::string, std::string> pairs) {
  auto compiled = std::make_shared<Compiled>();
  for (const RenameRule& rule : rules) {
    auto regex = guarded([&] { return std::regex(rule.match, std::regex::ECMAScript); });
    if (!regex) {
      return fail(
          ErrorCode::InvalidArgument,
          fmt::format("'{}' is not a regular expression: {}", rule.match, regex.error().message()));
    }
    compiled->rules.push_back(std::move(*regex));
  }
  SiteMapping mapping;
  mapping.m_rules = std::move(rules);
  mapping.m_pairs = std::move(pairs);
  mapping.m_compiled = std::move(compiled);
  return mapping;
}

Result<SiteMapping> SiteMapping::parse(std::string_view yaml, std::string_view origin) {
  const auto root = study::parseYaml(yaml, origin);
  if (!root) {
    return tl::unexpected<Error>(root.error());
  }
  if (root->kind == YamlNode::Kind::Null) {
    return SiteMapping();
  }
  if (root->kind != YamlNode::Kind::Map) {
    return failAt(origin, root->position, "a mapping has the keys 'rules' and 'pairs'");
  }
  Result<std::vector<RenameRule>> rules;
  Result<std::map<std::string, std::string>> pairs;
  for (const YamlNode::Entry& entry : root->entries) {
    if (entry.key == "rules") {
      rules = rulesOf(entry.value, origin);
    } else if (entry.key == "pairs") {
      pairs = pairsOf(entry.value, origin);
    } else {
      return failAt(origin,
                    entry.position,
                    fmt::format("unknown key '{}'; a mapping has 'rules' and 'pairs'", entry.key));
    }
    for (const Error* error :
         {rules ? nullptr : &rules.error(), pairs ? nullptr : &pairs.error()}) {
      if (error != nullptr) {
        return tl::unexpected<Error>(*error);
      }
    }
  }
  return make(std::move(*rules), std::move(*pairs));
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
  if (!m_pairs.empty()) {
    text += "pairs:\n";
  }
  for (const auto& [from, to] : m_pairs) {
    text += fmt::format("  {}: {}\n", inSingleQuotes(from), inSingleQuotes(to));
  }
  return text;
}

std::string SiteMapping::map(std::string_view name) const {
  std::string result(name);
  if (const auto pair = m_pairs.find(result); pair != m_pairs.end()) {
    return pair->second;
  }
  for (std::size_t i = 0; i < m_rules.size(); ++i) {
    result = std::regex_replace(result, m_compiled->rules[i], m_rules[i].replace);
  }
  return result;
}

}  // namespace ulp::analysis
