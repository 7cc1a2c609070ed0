#pragma once

#include <vector>

#include <QtWidgets/QDialog>

#include "core/study/editing/variant_grid.h"

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QTreeWidget;

namespace ulp::views {

/// Choose keys and values, see the variants that come of it, take them.
class GridDialog : public QDialog {
  Q_OBJECT

 public:
  /// `taken`: names that the study has already.
  explicit GridDialog(std::vector<std::string> taken, QWidget* parent = nullptr);

  [[nodiscard]] const std::vector<study::GridVariant>& variants() const { return m_variants; }

 private:
  void fillKeys();
  void refresh();
  [[nodiscard]] std::vector<study::GridAxis> axes() const;

  std::vector<std::string> m_taken;
  std::vector<study::GridVariant> m_variants;
  QTreeWidget* m_keys;
  QLineEdit* m_pattern;
  QLabel* m_status;
  QListWidget* m_preview;
  QDialogButtonBox* m_buttons;
  bool m_hasOwnPattern = false;
};

}  // namespace ulp::views
