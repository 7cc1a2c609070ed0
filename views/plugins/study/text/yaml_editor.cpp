#include "views/plugins/study/text/yaml_editor.h"

#include <algorithm>
#include <utility>

#include <QtCore/QScopedValueRollback>
#include <QtGui/QHelpEvent>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtGui/QStandardItemModel>
#include <QtGui/QSyntaxHighlighter>
#include <QtGui/QTextBlock>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QCompleter>
#include <QtWidgets/QToolTip>

#include "core/study/editing/study_completion.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/utf8_text.h"
#include "views/framework/workspace/study_history.h"

namespace ulp::views {
namespace {

constexpr int kInsertRole = Qt::UserRole + 1;
constexpr qsizetype kIndent = 2;

bool isCompletionKey(int key) {
  return key == Qt::Key_Enter || key == Qt::Key_Return || key == Qt::Key_Tab ||
         key == Qt::Key_Escape || key == Qt::Key_Backtab;
}

}  // namespace

/// Line numbers beside the text, and the sign of a problem in its line.
class YamlEditor::Margin : public QWidget {
 public:
  explicit Margin(YamlEditor& editor) : QWidget(&editor), m_editor(editor) {
    setFocusPolicy(Qt::NoFocus);
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QPainter painter(this);
    painter.setFont(m_editor.font());
    painter.fillRect(event->rect(), m_editor.m_theme.palette.color(QPalette::Base));
    for (QTextBlock block = m_editor.firstVisibleBlock(); block.isValid(); block = block.next()) {
      const double top =
          m_editor.blockBoundingGeometry(block).translated(m_editor.contentOffset()).top();
      if (top > event->rect().bottom()) {
        return;
      }
      paintLine(painter, block.blockNumber(), static_cast<int>(top));
    }
  }
  bool event(QEvent* event) override {
    if (event->type() == QEvent::ToolTip) {
      const auto* help = static_cast<QHelpEvent*>(event);
      m_editor.showProblem(QPoint(0, help->pos().y()), help->globalPos());
      return true;
    }
    return QWidget::event(event);
  }

 private:
  void paintLine(QPainter& painter, int block, int top) const {
    const Theme& theme = m_editor.m_theme;
    const QRect row(0, top, width() - 8, m_editor.fontMetrics().height());
    const bool isCurrent = block == m_editor.textCursor().blockNumber();
    painter.setPen(isCurrent ? theme.palette.color(QPalette::Text) : theme.dimText);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, QString::number(block + 1));
    if (const StudyProblem* problem = m_editor.problemAt(block + 1)) {
      painter.setPen(theme.severityColor(problem->severity));
      painter.drawText(row.adjusted(4, 0, 0, 0),
                       Qt::AlignLeft | Qt::AlignVCenter,
                       severityGlyph(problem->severity));
    }
  }

  YamlEditor& m_editor;
};

/// Sets keys apart from values and comments.
class YamlEditor::Highlighter : public QSyntaxHighlighter {
 public:
  using QSyntaxHighlighter::QSyntaxHighlighter;

  void setTheme(const Theme& theme) {
    m_key.setForeground(theme.palette.color(QPalette::Link));
    m_comment.setForeground(theme.dimText);
    rehighlight();
  }

 protected:
  void highlightBlock(const QString& text) override {
    const qsizetype comment = commentStart(text);
    for (qsizetype colon = text.indexOf(kColon); colon >= 0 && colon < comment;
         colon = text.indexOf(kColon, colon + 1)) {
      if (colon + 1 == comment || text[colon + 1].isSpace()) {
        formatKeyBefore(text, colon);
      }
    }
    setFormat(static_cast<int>(comment), static_cast<int>(text.size() - comment), m_comment);
  }

 private:
  static constexpr QLatin1Char kColon{':'};

  static bool isOfKey(QChar c) {
    return c.unicode() < 0x80 && (c.isLetterOrNumber() || QStringLiteral("_.-/").contains(c));
  }

  void formatKeyBefore(const QString& text, qsizetype colon) {
    qsizetype end = colon;
    while (end > 0 && text[end - 1].isSpace()) {
      --end;
    }
    qsizetype begin = end;
    while (begin > 0 && isOfKey(text[begin - 1])) {
      --begin;
    }
    setFormat(static_cast<int>(begin), static_cast<int>(end - begin), m_key);
  }

  QTextCharFormat m_key;
  QTextCharFormat m_comment;
};

qsizetype commentStart(const QString& line) {
  QChar quote;
  for (qsizetype i = 0; i < line.size(); ++i) {
    const QChar c = line[i];
    if (!quote.isNull()) {
      quote = c == quote ? QChar() : quote;
    } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
      quote = c;
    } else if (c == QLatin1Char('#') && (i == 0 || line[i - 1].isSpace())) {
      return i;
    }
  }
  return line.size();
}

YamlEditor::YamlEditor(QWidget* parent)
    : QPlainTextEdit(parent),
      m_theme(lightTheme()),
      m_margin(new Margin(*this)),
      m_highlighter(new Highlighter(document())),
      m_offers(new QStandardItemModel(this)),
      m_completer(new QCompleter(m_offers, this)) {
  setFont(fixedFont(font()));
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setFrameShape(QFrame::NoFrame);
  setUndoRedoEnabled(false);
  setTabStopDistance(fontMetrics().horizontalAdvance(QString(kIndent, QLatin1Char(' '))));
  setObjectName(QStringLiteral("studyText"));
  setAccessibleName(tr("Study as YAML"));
  m_completer->setWidget(this);
  m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  m_completer->popup()->setAccessibleName(tr("Completions"));
  connect(
      m_completer,
      qOverload<const QModelIndex&>(&QCompleter::activated),
      this,
      [this](const QModelIndex& index) { insertCompletion(index.data(kInsertRole).toString()); });
  connect(this, &QPlainTextEdit::updateRequest, m_margin, [this](const QRect& area, int dy) {
    if (dy != 0) {
      m_margin->scroll(0, dy);
    } else {
      m_margin->update(0, area.y(), m_margin->width(), area.height());
    }
  });
  connect(this, &QPlainTextEdit::blockCountChanged, this, [this] {
    setViewportMargins(marginWidth(), 0, 0, 0);
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &YamlEditor::highlight);
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    // Colours and marks change the document, too, but not what it says.
    const QString now = toPlainText();
    if (now != m_known) {
      m_known = now;
      if (!m_isShowing) {
        Q_EMIT edited();
      }
    }
  });
  setViewportMargins(marginWidth(), 0, 0, 0);
}

void YamlEditor::setTheme(const Theme& theme) {
  m_theme = theme;
  m_highlighter->setTheme(theme);
  highlight();
  m_margin->update();
}

void YamlEditor::showText(const QString& text) {
  const TextChange change = changeBetween(toPlainText(), asShown(text));
  if (change.isEmpty()) {
    return;
  }
  const QScopedValueRollback<bool> guard(m_isShowing, true);
  QTextCursor cursor(document());
  cursor.setPosition(static_cast<int>(change.at));
  cursor.setPosition(static_cast<int>(change.at + change.removed.size()), QTextCursor::KeepAnchor);
  cursor.insertText(change.inserted);
}

void YamlEditor::setProblems(std::vector<StudyProblem> problems) {
  m_problems = std::move(problems);
  highlight();
  m_margin->update();
}

const StudyProblem* YamlEditor::problemAt(int line) const {
  const auto found = std::ranges::find(m_problems, line, &StudyProblem::line);
  return found == m_problems.end() ? nullptr : &*found;
}

void YamlEditor::goTo(int line, int column, int length) {
  const QTextBlock block = document()->findBlockByNumber(std::max(0, line - 1));
  if (line < 1 || !block.isValid()) {
    return;
  }
  const int last = block.length() - 1;
  QTextCursor cursor(block);
  cursor.setPosition(block.position() + std::clamp(column - 1, 0, last));
  const int end = std::min(cursor.positionInBlock() + length, last);
  cursor.setPosition(block.position() + end, QTextCursor::KeepAnchor);
  setTextCursor(cursor);
  centerCursor();
  setFocus();
}

int YamlEditor::marginWidth() const {
  const int digits = static_cast<int>(QString::number(std::max(99, blockCount())).size());
  return fontMetrics().horizontalAdvance(QLatin1Char('0')) * (digits + 2) + 12;
}

void YamlEditor::showProblem(const QPoint& inText, const QPoint& global) {
  const StudyProblem* problem = problemAt(cursorForPosition(inText).blockNumber() + 1);
  QToolTip::showText(global, problem == nullptr ? QString() : problem->text, this);
}

QList<QTextEdit::ExtraSelection> YamlEditor::problemMarks() const {
  QList<QTextEdit::ExtraSelection> marks;
  for (const StudyProblem& problem : m_problems) {
    const QTextBlock block = document()->findBlockByNumber(problem.line - 1);
    if (problem.line < 1 || !block.isValid()) {
      continue;
    }
    QTextEdit::ExtraSelection mark;
    const int last = block.length() - 1;
    const int start = std::clamp(problem.column - 1, 0, last);
    const int end = std::min(start + std::max(1, problem.length), last);
    mark.cursor = QTextCursor(block);
    // A mark of nothing would not be seen: at the end of a line it takes the last character.
    mark.cursor.setPosition(block.position() + (start == end ? std::max(0, start - 1) : start));
    mark.cursor.setPosition(block.position() + end, QTextCursor::KeepAnchor);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(m_theme.severityColor(problem.severity));
    mark.format.setToolTip(problem.text);
    marks << mark;
  }
  return marks;
}

void YamlEditor::highlight() {
  QTextEdit::ExtraSelection line;
  line.cursor = textCursor();
  line.cursor.clearSelection();
  line.format.setBackground(m_theme.palette.color(QPalette::AlternateBase));
  line.format.setProperty(QTextFormat::FullWidthSelection, true);
  setExtraSelections(QList<QTextEdit::ExtraSelection>{line} + problemMarks());
  m_margin->update();
}

bool YamlEditor::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    // The history of the study is the window's.
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->ignore();
      return true;
    }
  }
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    showProblem(viewport()->mapFrom(this, help->pos()), help->globalPos());
    return true;
  }
  return QPlainTextEdit::event(event);
}

/// What the list of offers does with a key; false: nothing.
bool YamlEditor::takeOffer(QKeyEvent* event) {
  if (!m_completer->popup()->isVisible() || !isCompletionKey(event->key())) {
    return false;
  }
  if (event->key() != Qt::Key_Tab) {
    // The list takes it.
    event->ignore();
    return true;
  }
  QModelIndex index = m_completer->popup()->currentIndex();
  index = index.isValid() ? index : m_completer->completionModel()->index(0, 0);
  insertCompletion(index.data(kInsertRole).toString());
  m_completer->popup()->hide();
  return true;
}

/// Keys that a plain text edit does not know as an editor does.
bool YamlEditor::editKey(const QKeyEvent& event) {
  if (event.key() == Qt::Key_Space && event.modifiers() == Qt::ControlModifier) {
    complete(true);
    return true;
  }
  if (isReadOnly()) {
    return false;
  }
  if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) {
    newLine();
    return true;
  }
  if (event.key() == Qt::Key_Tab && event.modifiers() == Qt::NoModifier) {
    const qsizetype column = textCursor().positionInBlock();
    textCursor().insertText(QString(kIndent - column % kIndent, QLatin1Char(' ')));
    return true;
  }
  return false;
}

void YamlEditor::keyPressEvent(QKeyEvent* event) {
  const bool offers = m_completer->popup()->isVisible();
  if (takeOffer(event) || editKey(*event)) {
    return;
  }
  QPlainTextEdit::keyPressEvent(event);
  const QString typed = event->text();
  const bool isWord =
      typed.size() == 1 &&
      (typed[0].isLetterOrNumber() || typed[0] == QLatin1Char('_') || typed[0] == QLatin1Char('.'));
  if (isWord || (offers && event->key() == Qt::Key_Backspace)) {
    complete(false);
  } else {
    m_completer->popup()->hide();
  }
}

void YamlEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  const QRect inside = contentsRect();
  m_margin->setGeometry(inside.left(), inside.top(), marginWidth(), inside.height());
}

void YamlEditor::complete(bool asked) {
  if (isReadOnly()) {
    return;
  }
  const QString text = toPlainText();
  const int position = textCursor().position();
  const auto offset = static_cast<std::size_t>(text.left(position).toUtf8().size());
  const std::string yaml = text.toStdString();
  const study::Completions found = study::completeStudy(yaml, offset);
  m_wordStart =
      static_cast<int>(QString::fromUtf8(yaml.data(), static_cast<qsizetype>(found.begin)).size());
  const QString word = text.mid(m_wordStart, position - m_wordStart);
  const bool isComplete = found.items.size() == 1 && utf8Text(found.items[0].text) == word;
  if (found.items.empty() || isComplete || (word.isEmpty() && !asked)) {
    m_completer->popup()->hide();
    return;
  }
  m_offers->clear();
  for (const study::Completion& item : found.items) {
    auto* offer = new QStandardItem(utf8Text(item.text));
    offer->setData(utf8Text(item.insert), kInsertRole);
    offer->setToolTip(utf8Text(item.help));
    m_offers->appendRow(offer);
  }
  QRect place = cursorRect();
  place.translate(marginWidth() - fontMetrics().horizontalAdvance(word), 4);
  place.setWidth(m_completer->popup()->sizeHintForColumn(0) + 32);
  m_completer->complete(place);
  m_completer->popup()->setCurrentIndex(m_completer->completionModel()->index(0, 0));
}

void YamlEditor::insertCompletion(const QString& text) {
  QTextCursor cursor = textCursor();
  cursor.setPosition(m_wordStart, QTextCursor::KeepAnchor);
  cursor.insertText(text);
  setTextCursor(cursor);
}

void YamlEditor::newLine() {
  QTextCursor cursor = textCursor();
  const QString before = cursor.block().text().left(cursor.positionInBlock());
  qsizetype indent = 0;
  while (indent < before.size() && before[indent] == QLatin1Char(' ')) {
    ++indent;
  }
  const QString content = before.left(commentStart(before)).trimmed();
  indent += content.endsWith(QLatin1Char(':')) ? kIndent : 0;
  cursor.insertText(QLatin1Char('\n') + QString(indent, QLatin1Char(' ')));
  setTextCursor(cursor);
  ensureCursorVisible();
}

}  // namespace ulp::views
