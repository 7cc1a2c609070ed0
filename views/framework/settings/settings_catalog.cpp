#include "views/framework/settings/settings_catalog.h"

#include <algorithm>

namespace ulp::views {

QStringList SettingsCatalog::pages() const {
  QStringList pages;
  for (const DeclaredSetting& setting : m_settings) {
    if (!pages.contains(setting.info.page)) {
      pages << setting.info.page;
    }
  }
  return pages;
}

QVariant validValue(const DeclaredSetting& setting, const QVariant& value) {
  const std::vector<SettingChoice>& choices = setting.info.choices;
  if (!choices.empty()) {
    const bool known =
        std::any_of(choices.begin(), choices.end(), [&](const SettingChoice& choice) {
          return choice.value == value;
        });
    return known ? value : setting.defaultValue;
  }
  if (setting.info.range) {
    bool isNumber = false;
    const int number = value.toInt(&isNumber);
    const bool inside =
        isNumber && number >= setting.info.range->low && number <= setting.info.range->high;
    return inside ? value : setting.defaultValue;
  }
  return value;
}

}  // namespace ulp::views
