#pragma once

#include <functional>
#include <vector>

#include <QtWidgets/QWidget>

#include "views/framework/settings/settings_store.h"

class QVBoxLayout;

namespace ulp::views {

/// One page of the settings window, made from the declarations of that page. What is changed holds
/// at once; what changes elsewhere is shown at once.
class SettingsPage : public QWidget {
  Q_OBJECT

 public:
  SettingsPage(const SettingsCatalog& catalog,
               const QString& page,
               SettingsStore& store,
               QWidget* parent = nullptr);

  /// Below the generated rows; takes part in the search by `words` and in reset() by `reset`.
  void append(QWidget* widget, const QString& words, std::function<void()> reset);
  /// Hides the rows that do not contain every word. Returns how many remain.
  int filter(const QString& query);
  void reset();

 private:
  struct Control {
    QWidget* widget = nullptr;
    std::function<void(const QVariant&)> show;
  };
  struct Row {
    DeclaredSetting setting;
    QWidget* block = nullptr;
    Control control;  ///< none: the row is not a setting's
    QString words;
    std::function<void()> reset;
  };

  void addRow(const DeclaredSetting& setting);
  Control makeControl(const DeclaredSetting& setting, QWidget* parent);
  void show(const Row& row);

  SettingsStore& m_store;
  std::vector<Row> m_rows;
  QVBoxLayout* m_layout;
};

}  // namespace ulp::views
