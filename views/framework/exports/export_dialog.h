#pragma once

#include <vector>

#include <QtCore/QSizeF>
#include <QtWidgets/QDialog>

#include "views/framework/exports/exhibit_export.h"

class QBoxLayout;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace ulp::views {

class SettingsStore;

/// What is exported, for the dialog.
struct ExportSubject {
  QString kind;      ///< settings of one kind are remembered together: "chart", "report"
  QString title;     ///< of the dialog
  QString baseName;  ///< file name without extension
  QSizeF size;       ///< of the figure; empty: the formats have no size
  std::vector<ExportChoice> choices;
};

struct ExportWish {
  QString file;
  QString format;
  int scale = 1;
};

/// Asks for format, scale and file. Remembers the last ones; the folder of the last export is where
/// the next one begins.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  ExportDialog(ExportSubject subject, SettingsStore& settings, QWidget* parent = nullptr);

  [[nodiscard]] ExportWish wish() const;
  /// Shows what else is asked for below the rest.
  void insert(QWidget& more);

 Q_SIGNALS:
  void exportRequested(const ulp::views::ExportWish& wish);
  void formatChanged();

 private:
  void makeForm();
  void restoreChoices();
  void onFormatChanged();
  void onFileEdited();
  void browse();
  void updatePreview();
  void confirm();
  [[nodiscard]] const ExportChoice& choice() const;
  /// Whose extension a file name has; the longest, where one ends like another. -1: none.
  [[nodiscard]] int formatOf(const QString& file) const;
  [[nodiscard]] QString fileWithExtension(const QString& file) const;

  ExportSubject m_subject;
  SettingsStore& m_settings;
  QComboBox* m_format;
  QComboBox* m_scale;
  QLineEdit* m_file;
  QLabel* m_preview;
  QDialogButtonBox* m_buttons;
  QBoxLayout* m_column = nullptr;
};

}  // namespace ulp::views
