#include "core/report/exporters/configuration_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <utility>

#include "core/report/json_reader.h"

namespace ulp::report {
namespace {

/// Value and origin of a setting, and who has them; in the order of the runs.
using Choices =
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>>;
using Settings = std::map<std::string, Choices>;

void addChoice(Choices& choices,
               const std::pair<std::string, std::string>& choice,
               const std::string& run) {
  const auto known = std::find_if(
      choices.begin(), choices.end(), [&](const auto& entry) { return entry.first == choice; });
  if (known == choices.end()) {
    choices.push_back({choice, {run}});
  } else {
    known->second.push_back(run);
  }
}

void readSettings(JsonReader& json, const std::string& run, Settings& settings) {
  json.readObject([&](std::string_view key) {
    const std::string name(key);
    std::pair<std::string, std::string> choice;
    json.readObject([&](std::string_view field) {
      if (field == "value") {
        choice.first = json.readString();
      } else if (field == "origin") {
        choice.second = json.readString();
      } else {
        json.skipValue();
      }
    });
    addChoice(settings[name], choice, run);
  });
}

/// "reference_fp32" -> "reference fp32".
std::string words(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
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
  Settings settings;
  std::size_t known = 0;
  JsonReader json(report.effectiveJson, "effective configuration");
  json.readObject([&](std::string_view name) {
    const bool isWanted =
        std::any_of(runs.begin(), runs.end(), [&](const Run* run) { return run->name == name; });
    if (!isWanted) {
      json.skipValue();
      return;
    }
    ++known;
    readSettings(json, std::string(name), settings);
  });
  if (auto read = json.finish(); !read) {
    return tl::unexpected<Error>(std::move(read.error()));
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
