#pragma once

#include <vector>

#include <QtWidgets/QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QStackedWidget;

namespace ulp::views {

class SettingsCatalog;
class SettingsPage;
class SettingsStore;

/// The settings window, made from declarations: pages at the left, one search over all of them,
/// every change applied at once, each page back to its defaults with one button, the file's path
/// below.
class SettingsDialog : public QDialog {
  Q_OBJECT

 public:
  SettingsDialog(const SettingsCatalog& catalog, SettingsStore& store, QWidget* parent = nullptr);

  /// Null where the catalogue has no setting of that page.
  [[nodiscard]] SettingsPage* page(const QString& title) const;

 private:
  void makeLayout();
  void search(const QString& query);
  void resetPage();

  SettingsStore& m_store;
  std::vector<SettingsPage*> m_pages;  ///< in the order of the list, which has their titles
  QLineEdit* m_filter;
  QListWidget* m_list;
  QStackedWidget* m_stack;
  QLabel* m_nothing;
};

}  // namespace ulp::views
