#include "core/report/contents/configuration_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <utility>

#include "core/report/model/effective_config.h"

namespace ulp::report {
namespace {

/// Value and origin of a setting, and who has them; in the order of the runs.
using Choices =
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>>;
using Settings = std::map<std::string, Choices>;

void addChoice(Choices& choices,
               const std::pair<std::string, std::string>& choice,
               const std::string& run) {
  const auto known = std::ranges::find(choices, choice, &Choices::value_type::first);
  if (known == choices.end()) {
    choices.push_back({choice, {run}});
  } else {
    known->second.push_back(run);
  }
}

/// "reference_fp32" -> "reference fp32".
std::string words(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

}  // namespace

Result<TextTable> configurationTable(const Report& report, std::span<const Run* const> runs) {
  TextTable table{
      "Configuration",
      {{"setting", false, ""}, {"value", false, ""}, {"set by", false, ""}, {"runs", false, ""}},
      {}};
  if (report.effectiveJson.empty()) {
    return table;
  }
  const auto configuration = ULP_TRY(effectiveConfig(report));
  Settings settings;
  std::size_t known = 0;
  for (const auto& [name, keys] : configuration) {
    if (std::ranges::find(runs, name, &Run::name) == runs.end()) {
      continue;
    }
    ++known;
    for (const auto& [key, value] : keys) {
      addChoice(settings[key], {value.value, value.origin}, name);
    }
  }
  for (const auto& [key, choices] : settings) {
    for (const auto& [choice, who] : choices) {
      const bool isAll = who.size() == known && known > 1;
      table.rows.push_back({key,
                            choice.first.empty() ? "–" : choice.first,
                            words(choice.second),
                            isAll ? "all" : fmt::format("{}", fmt::join(who, ", "))});
    }
  }
  return table;
}

}  // namespace ulp::report
