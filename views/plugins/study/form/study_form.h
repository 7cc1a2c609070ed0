#pragma once

#include <vector>

#include <QtWidgets/QScrollArea>

#include "views/plugins/study/form/form_field.h"
#include "views/plugins/study/text/study_check.h"

class QGridLayout;
class QLabel;
class QToolButton;

namespace ulp::views {

/// All keys of the study as a form, made from the schema: one row a key with its name, control,
/// and a button that goes back to the default; where it is narrow, names stand above the controls.
/// It shows the text's state and asks for changes.
class StudyForm : public QScrollArea {
  Q_OBJECT

 public:
  explicit StudyForm(QWidget* parent = nullptr);

  /// Null: the text is no YAML; the form then keeps what it shows and takes no input.
  void show(const study::YamlNode* tree, const std::vector<StudyProblem>& problems);
  void setReadOnly(bool readOnly);
  void setTheme(const Theme& theme);
  void setRemark(const QString& key, const QString& remark);
  /// See FormField.
  void setFallback(const QString& key, const QString& value);
  /// Asks for the change of the field that is still being typed in.
  void finishEdits();
  [[nodiscard]] FormField* field(std::string_view key);

 Q_SIGNALS:
  void edited(const QString& key, const ulp::study::YamlNode& value);
  void cleared(const QString& key);
  /// The user went to a key's row.
  void visited(const QString& key);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Row {
    FormField* field = nullptr;
    QLabel* name = nullptr;
    QLabel* problem = nullptr;
    QToolButton* reset = nullptr;
    int line = 0;  ///< of the grid, the first of three: name above, control, problem
  };

  void addSection(const QString& title, const QString& hint);
  void addRow(const study::Key& key);
  void place(const Row& row);
  /// That names and controls need side by side.
  [[nodiscard]] int wideWidth() const;
  void enable();

  QGridLayout* m_grid;
  std::vector<Row> m_rows;
  bool m_isNarrow = false;
  Theme m_theme;
  bool m_isReadOnly = false;
  bool m_isYaml = true;
};

}  // namespace ulp::views
