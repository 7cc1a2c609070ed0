#pragma once

#include <optional>
#include <vector>

#include "views/framework/settings/settings_store.h"

namespace ulp::views {

/// One of the values that a setting can have, and its name.
struct SettingChoice {
  QVariant value;
  QString text;
};

/// Whole numbers from `low` to `high`.
struct SettingRange {
  int low = 0;
  int high = 0;
  int step = 1;
  QString suffix;  ///< unit, with the space before it
};

/// How a setting is shown: as a check box if it is a bool, a list if it has choices, a number if it
/// has a range, a line of text otherwise.
struct SettingInfo {
  QString page;
  QString title;
  QString help;  ///< one sentence: what it does
  std::vector<SettingChoice> choices{};
  std::optional<SettingRange> range{};
};

struct DeclaredSetting {
  QString key;
  QVariant defaultValue;
  SettingInfo info;
};

/// The settings that the user sees, in the order of the window that is made from them.
class SettingsCatalog {
 public:
  template <class T>
  void declare(const Setting<T>& setting, const SettingInfo& info) {
    m_settings.push_back({.key = setting.key,
                          .defaultValue = QVariant::fromValue(setting.defaultValue),
                          .info = info});
  }
  [[nodiscard]] const std::vector<DeclaredSetting>& all() const { return m_settings; }
  /// In order of their first setting.
  [[nodiscard]] QStringList pages() const;

 private:
  std::vector<DeclaredSetting> m_settings;
};

/// `value` if the setting can have it, else its default: what was written by hand or by another
/// version may lie outside the range or name a choice that is gone.
[[nodiscard]] QVariant validValue(const DeclaredSetting& setting, const QVariant& value);

}  // namespace ulp::views
