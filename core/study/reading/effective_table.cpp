#include "core/study/reading/effective_table.h"

#include <algorithm>

#include "core/study/schema/schema.h"

namespace ulp::study {

EffectiveTable effectiveTable(const Study& study) {
  EffectiveTable table;
  table.runs.emplace_back(kReferenceName);
  for (const Variant& variant : study.variants) {
    table.runs.push_back(variant.name);
  }
  std::vector<Settings> settings;
  for (const std::string& run : table.runs) {
    // All of these runs exist.
    settings.push_back(effectiveSettings(study, run).value_or(Settings{}));
  }
  for (const Key& key : schemaKeys()) {
    EffectiveRow row{.key = std::string(key.path), .cells = {}, .differs = false};
    for (const Settings& run : settings) {
      const auto found = run.find(key.path);
      row.cells.push_back(found == run.end() ? study.settings.find(key.path)->second
                                             : found->second);
    }
    row.differs = std::any_of(row.cells.begin(), row.cells.end(), [&](const Setting& cell) {
      return cell.value != row.cells.front().value;
    });
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ulp::study
