#pragma once

#include <QtCore/QObject>
#include <QtGui/QFont>

namespace ulp::views {
class SettingsStore;
class ThemeManager;
}  // namespace ulp::views

namespace ulp::app {

/// Makes what the user sets hold in the whole application: theme and text size, now and whenever
/// they change.
class AppliedSettings : public QObject {
  Q_OBJECT

 public:
  AppliedSettings(views::SettingsStore& settings,
                  views::ThemeManager& themes,
                  QObject* parent = nullptr);
  ~AppliedSettings() override;
  AppliedSettings(const AppliedSettings&) = delete;
  AppliedSettings& operator=(const AppliedSettings&) = delete;

 private:
  void apply(const QString& key);
  void applyTheme();
  void applyTextSize();

  views::SettingsStore& m_settings;
  views::ThemeManager& m_themes;
  QFont m_systemFont;
};

}  // namespace ulp::app
