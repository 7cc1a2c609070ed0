#include "core/report/contents/configuration_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text/elided.h"
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

Result<TextTable> configurationTable(const Report& report,
                                     std::span<const Run* const> runs,
                                     ConfigurationPart part,
                                     std::size_t named) {
  TextTable table{"Configuration", {{"setting"}, {"value"}, {"set by"}, {"runs"}}, {}};
  table.isDetail = true;
  if (report.effectiveJson.empty() || part == ConfigurationPart::None) {
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
  std::size_t left = 0;
  for (const auto& [key, choices] : settings) {
    for (const auto& [choice, who] : choices) {
      const bool isAll = who.size() == known && known > 1;
      if (part == ConfigurationPart::Chosen && isAll && choice.second == "default") {
        ++left;
        continue;
      }
      const bool isAllVariants = who.size() + 1 == known && known > 2 &&
                                 std::ranges::find(who, report.reference) == who.end();
      table.rows.push_back({key,
                            choice.first.empty() ? "–" : choice.first,
                            words(choice.second),
                            isAll           ? "all"
                            : isAllVariants ? "all variants"
                                            : firstNames(who, named)});
    }
  }
  if (left > 0) {
    table.note = fmt::format(
        "{} settings that every run has by default stand in the HTML report and in "
        "precision_report.json.",
        left);
  }
  return table;
}

}  // namespace ulp::report
