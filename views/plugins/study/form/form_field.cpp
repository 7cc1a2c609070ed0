#include "views/plugins/study/form/form_field.h"

#include <QtCore/QScopedValueRollback>
#include <QtCore/QSignalBlocker>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QToolButton>

#include "core/base/list_of.h"
#include "core/study/editing/study_edit.h"
#include "core/study/yaml/yaml_write.h"
#include "views/framework/look/icons.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/study/form/key_names.h"
#include "views/plugins/study/form/number_box.h"
#include "views/studies/device_offers.h"

namespace ulp::views {
namespace {

using study::Key;
using study::ValueType;
using study::YamlNode;

const BoxShape kFieldShape{.margins = QMargins(), .spacing = 4};

/// Empty: nothing is written.
QString yamlText(const YamlNode* value) {
  if (value == nullptr || value->kind == YamlNode::Kind::Null) {
    return {};
  }
  return QString::fromStdString(value->kind == YamlNode::Kind::Scalar ? value->text
                                                                      : study::writeFlow(*value));
}

/// Scrolling the form must not change what the pointer passes over.
class WheelGuard : public QObject {
 public:
  explicit WheelGuard(QWidget* widget) : QObject(widget) {
    widget->setFocusPolicy(Qt::StrongFocus);
    widget->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    const bool skip = event->type() == QEvent::Wheel && !static_cast<QWidget*>(object)->hasFocus();
    if (skip) {
      event->ignore();
    }
    return skip || QObject::eventFilter(object, event);
  }
};

/// Undo goes on in the study's history where the control has nothing to undo; texts of several
/// lines (no `line`) keep no history of their own.
class UndoGuard : public QObject {
 public:
  UndoGuard(QWidget* control, const QLineEdit* line) : QObject(control), m_line(line) {
    control->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::ShortcutOverride) {
      const auto* key = static_cast<QKeyEvent*>(event);
      const bool undoes = m_line != nullptr && m_line->isUndoAvailable();
      const bool redoes = m_line != nullptr && m_line->isRedoAvailable();
      const bool passes = (key->matches(QKeySequence::Undo) && !undoes) ||
                          (key->matches(QKeySequence::Redo) && !redoes);
      if (passes) {
        event->ignore();
        return true;
      }
    }
    return QObject::eventFilter(object, event);
  }

 private:
  const QLineEdit* m_line;
};

/// A fixed set of values; the first entry stands for "not set".
class ChoiceField final : public FormField {
 public:
  ChoiceField(const Key& key, QWidget* parent)
      : FormField(key, parent), m_box(new QComboBox(this)) {
    rowOf(this, {m_box}, kFieldShape);
    setControl(m_box);
    new WheelGuard(m_box);
    m_box->setEditable(key.type == ValueType::DeviceName || key.type == ValueType::Name);
    m_box->setMinimumContentsLength(12);
    fill();
    connect(m_box, &QComboBox::activated, this, [this](int row) {
      m_shown = m_box->itemData(row).toString();
      if (m_box->isEditable()) {
        // The row may say more than the value.
        m_box->setEditText(m_shown);
      }
      sendText(m_shown);
    });
    if (QLineEdit* line = m_box->lineEdit()) {
      // Not the first of the list.
      m_box->setEditText({});
      new UndoGuard(line, line);
      line->setAccessibleName(keyName(key));
      line->setPlaceholderText(defaultText());
      connect(line, &QLineEdit::editingFinished, this, [this] { finish(); });
    }
  }

  void finish() override {
    const QString entered = m_box->currentText().trimmed();
    if (m_box->isEditable() && entered != m_shown) {
      m_shown = entered;
      sendText(entered);
    }
  }

  void show(const YamlNode* value) override {
    const QSignalBlocker quiet(m_box);
    const QString shown = yamlText(value);
    const QLineEdit* line = m_box->lineEdit();
    const bool isBeingTyped =
        line != nullptr && m_box->hasFocus() && line->isModified() && shown == m_shown;
    m_shown = shown;
    if (line != nullptr) {
      if (!isBeingTyped) {
        m_box->setEditText(m_shown);
      }
      return;
    }
    while (m_box->count() > m_known) {
      m_box->removeItem(m_known);
    }
    int row = value == nullptr ? 0 : m_box->findData(m_shown);
    if (row < 0) {
      m_box->addItem(m_shown, m_shown);
      row = m_box->count() - 1;
    }
    m_box->setCurrentIndex(row);
  }
  void setReadOnly(bool readOnly) override { m_box->setDisabled(readOnly); }
  void offer(const QString& value, const QString& text) override {
    const QSignalBlocker quiet(m_box);
    if (const int row = m_box->findData(value); row >= 0 && row < m_known) {
      m_box->setItemText(row, text);
    } else {
      m_box->insertItem(m_known++, text, value);
    }
  }

 private:
  void fill() {
    QStringList values = choiceTexts(key());
    if (key().type == ValueType::Boolean) {
      values = {QStringLiteral("true"), QStringLiteral("false")};
    } else if (key().type == ValueType::DeviceName) {
      values = usualDevices();
    }
    if (!m_box->isEditable()) {
      m_box->addItem(FormField::tr("%1 (default)").arg(defaultText()));
    }
    for (const QString& value : values) {
      m_box->addItem(value, value);
    }
    m_known = m_box->count();
  }

  QComboBox* m_box;
  QString m_shown;
  int m_known = 0;
};

/// Whole numbers and others. Shows the default, dim, where the key is not set.
class NumberField final : public FormField {
 public:
  NumberField(const Key& key, QWidget* parent)
      : FormField(key, parent), m_box(new NumberBox(key, this)) {
    rowOf(this, {m_box}, kFieldShape);
    setControl(m_box);
    new WheelGuard(m_box);
    new UndoGuard(m_box, &m_box->line());
    m_box->line().setAccessibleName(keyName(key));
    m_box->setFallback(defaultText());
    m_box->setMinimumWidth(fontMetrics().horizontalAdvance(QLatin1Char('0')) * 18);
    m_box->setMaximumWidth(fontMetrics().horizontalAdvance(QLatin1Char('0')) * 26);
    connect(m_box, &QAbstractSpinBox::editingFinished, this, [this] { finish(); });
    connect(m_box, &NumberBox::stepped, this, [this] { finish(); });
    layout()->setAlignment(m_box, Qt::AlignLeft);
  }

  void show(const YamlNode* value) override {
    const QString shown = yamlText(value);
    const bool isBeingTyped = m_box->hasFocus() && m_box->isModified() && shown == m_shown;
    m_shown = shown;
    if (m_box->text() != shown && !isBeingTyped) {
      m_box->setText(shown);
    }
  }
  void setReadOnly(bool readOnly) override { m_box->setDisabled(readOnly); }
  void setFallback(const QString& value) override { m_box->setFallback(value); }
  void finish() override {
    const QString entered = m_box->text().trimmed();
    if (entered != m_shown) {
      m_shown = entered;
      // From here on the study's history has it.
      m_box->setText(entered);
      sendText(entered);
    }
  }

 private:
  NumberBox* m_box;
  QString m_shown;
};

/// Text, paths and maps, in one line.
class LineField final : public FormField {
 public:
  LineField(const Key& key, QWidget* parent) : FormField(key, parent), m_line(new QLineEdit(this)) {
    QHBoxLayout* row = rowOf(this, {{m_line, 1}}, kFieldShape);
    setControl(m_line);
    new UndoGuard(m_line, m_line);
    m_line->setPlaceholderText(key.path == "output_dir"
                                   ? FormField::tr("runs/ and the name of the study")
                                   : defaultText());
    connect(m_line, &QLineEdit::editingFinished, this, [this] { finish(); });
    if (key.type == ValueType::Path) {
      m_browse = new QToolButton(this);
      m_browse->setIcon(themedIcon(QStringLiteral("open")));
      m_browse->setToolTip(FormField::tr("Choose %1").arg(keyName(key)));
      m_browse->setAccessibleName(m_browse->toolTip());
      row->addWidget(m_browse);
      connect(m_browse, &QToolButton::clicked, this, [this] { browse(); });
    }
  }

  void show(const YamlNode* value) override {
    const QString shown = yamlText(value);
    const bool isBeingTyped = m_line->hasFocus() && m_line->isModified() && shown == m_shown;
    m_shown = shown;
    if (m_line->text() != shown && !isBeingTyped) {
      m_line->setText(shown);
      m_line->setModified(false);
    }
  }
  void setReadOnly(bool readOnly) override {
    m_line->setReadOnly(readOnly);
    if (m_browse != nullptr) {
      m_browse->setDisabled(readOnly);
    }
  }
  void finish() override { send(m_line->text()); }

 private:
  void send(const QString& entered) {
    if (entered != m_shown && !m_line->isReadOnly()) {
      m_shown = entered;
      m_line->setModified(false);
      sendText(entered);
    }
  }

  void browse() {
    auto* dialog =
        new QFileDialog(this, FormField::tr("Choose %1").arg(keyName(key())), m_line->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const bool isFolder = key().path == "output_dir" || key().path == "model.path";
    dialog->setFileMode(isFolder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    if (key().path == "model.path") {
      // A model is a folder or one file.
      dialog->setOption(QFileDialog::DontUseNativeDialog);
      dialog->setFileMode(QFileDialog::AnyFile);
      dialog->setNameFilters(
          {FormField::tr("Models (*.gguf *.json)"), FormField::tr("All files (*)")});
    }
    connect(dialog, &QFileDialog::fileSelected, this, [this](QString path) {
      // The folder of a config.json is the model.
      if (key().path == "model.path" && path.endsWith(QLatin1String("/config.json"))) {
        path.chop(12);
      }
      send(path);
    });
    dialog->open();
  }

  QLineEdit* m_line;
  QToolButton* m_browse = nullptr;
  QString m_shown;
};

/// One pattern a line, with a remark on what they match.
class PatternField final : public FormField {
 public:
  PatternField(const Key& key, QWidget* parent)
      : FormField(key, parent), m_edit(new QPlainTextEdit(this)), m_remark(new QLabel(this)) {
    columnOf(this, {m_edit, m_remark}, kFieldShape);
    setControl(m_edit);
    new UndoGuard(m_edit, nullptr);
    m_edit->setFont(fixedFont(font()));
    m_edit->setTabChangesFocus(true);
    m_edit->setUndoRedoEnabled(false);
    m_edit->setPlaceholderText(key.path == "capture.include"
                                   ? FormField::tr("all sites; one pattern a line")
                                   : FormField::tr("none; one pattern a line"));
    m_edit->setFixedHeight(m_edit->fontMetrics().lineSpacing() * 3 + 12);
    m_remark->setTextFormat(Qt::PlainText);
    m_remark->setWordWrap(true);
    m_remark->setForegroundRole(QPalette::PlaceholderText);
    m_remark->hide();
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] { send(); });
  }

  void show(const YamlNode* value) override {
    m_patterns =
        value == nullptr ? std::vector<std::string>() : listOf(value->items, &YamlNode::text);
    if (entered() == m_patterns) {
      return;
    }
    QStringList lines;
    for (const std::string& pattern : m_patterns) {
      lines << QString::fromStdString(pattern);
    }
    const QScopedValueRollback<bool> guard(m_isShowing, true);
    m_edit->setPlainText(lines.join(QLatin1Char('\n')));
  }
  void setReadOnly(bool readOnly) override { m_edit->setReadOnly(readOnly); }
  void setRemark(const QString& remark) override {
    m_remark->setText(remark);
    m_remark->setVisible(!remark.isEmpty());
  }

 private:
  [[nodiscard]] std::vector<std::string> entered() const {
    return listOf(m_edit->toPlainText().split(QLatin1Char('\n'), Qt::SkipEmptyParts),
                  &QString::toStdString);
  }
  void send() {
    if (m_isShowing || entered() == m_patterns) {
      return;
    }
    m_patterns = entered();
    if (m_patterns.empty()) {
      Q_EMIT cleared();
    } else {
      Q_EMIT edited(study::textListNode(m_patterns));
    }
  }

  QPlainTextEdit* m_edit;
  QLabel* m_remark;
  std::vector<std::string> m_patterns;
  bool m_isShowing = false;
};

}  // namespace

FormField* FormField::make(const study::Key& key, QWidget* parent) {
  switch (key.type) {
    case ValueType::Choice:
    case ValueType::Name:
    case ValueType::DTypeName:
    case ValueType::Boolean:
    case ValueType::DeviceName:
      return new ChoiceField(key, parent);
    case ValueType::Integer:
      return new NumberField(key, parent);
    case ValueType::Number:
      // A number or one of some words has no spin box.
      if (!key.choices.empty()) {
        break;
      }
      return new NumberField(key, parent);
    case ValueType::PatternList:
      return new PatternField(key, parent);
    case ValueType::Text:
    case ValueType::Path:
    case ValueType::Object:
    case ValueType::NameList:
    case ValueType::DocumentList:
    case ValueType::RangeList:
    case ValueType::LossTermList:
    case ValueType::RuleList:
      break;
  }
  return new LineField(key, parent);
}

void FormField::setControl(QWidget* control) {
  setFocusProxy(control);
  control->setAccessibleName(keyName(m_key));
}

void FormField::sendText(const QString& entered) {
  if (entered.trimmed().isEmpty()) {
    Q_EMIT cleared();
    return;
  }
  const std::string text = entered.toStdString();
  // Half a map is not worth an error of its own: it goes into the text and is marked there.
  Q_EMIT edited(study::valueFromText(m_key, text).value_or(study::scalarNode(text)));
}

QString FormField::defaultText() const {
  if (m_key.defaultText.empty()) {
    return m_key.type == ValueType::DTypeName ? FormField::tr("compute dtype") : QString();
  }
  return utf8Text(m_key.defaultText);
}

}  // namespace ulp::views
