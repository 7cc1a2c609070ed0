#pragma once

#include <map>
#include <string>
#include <vector>

#include <QtWidgets/QDialog>

#include "core/compat/comparator.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QPushButton;

namespace ulp::app {

class PathLine;

/// What is to be written as another tool does when it compares two dumps.
struct CompareAsWish {
  std::string tool;  ///< id of a compat::Comparator
  compat::CompareRequest request;
};

/// Asks for a tool, two dumps, the options that the tool has, and a folder.
class CompareAsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit CompareAsDialog(QWidget* parent = nullptr);

  /// Paths that the dialog begins with; they may be empty.
  void setSides(const std::filesystem::path& golden, const std::filesystem::path& target);
  [[nodiscard]] CompareAsWish wish() const;

  void accept() override;

 Q_SIGNALS:
  void compareRequested(const ulp::app::CompareAsWish& wish);

 private:
  [[nodiscard]] const compat::Comparator& tool() const;
  void makeSides();
  void makeOptions();
  void addOption(compat::CompareOption option, const QString& name, QWidget* field);
  /// Shows the options that the tool has, with its own names of them.
  void showTool();
  void updateButtons();

  std::vector<compat::Comparator> m_tools;
  QFormLayout* m_form;
  QComboBox* m_tool;
  PathLine* m_golden;
  PathLine* m_target;
  PathLine* m_output;
  QCheckBox* m_spreadsheet;
  QCheckBox* m_fuzzy;
  QCheckBox* m_highlight;
  PathLine* m_dataMapping;
  PathLine* m_cellMapping;
  QComboBox* m_level;
  std::map<compat::CompareOption, QWidget*> m_fields;
  QPushButton* m_compare = nullptr;
};

}  // namespace ulp::app
