#include "views/plugins/study/text/editor_margin.h"

#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtGui/QTextBlock>
#include <QtWidgets/QToolTip>

#include "views/framework/widgets/severity.h"
#include "views/plugins/study/text/yaml_editor.h"

namespace ulp::views {

EditorMargin::EditorMargin(YamlEditor& editor) : QWidget(&editor), m_editor(editor) {
  setFocusPolicy(Qt::NoFocus);
}

QSize EditorMargin::sizeHint() const {
  return {m_editor.marginWidth(), 0};
}

void EditorMargin::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  const Theme& theme = m_editor.theme();
  painter.setFont(m_editor.font());
  painter.fillRect(event->rect(), theme.palette.color(QPalette::Base));
  const int height = m_editor.fontMetrics().height();
  m_editor.forEachVisibleLine(event->rect(), [&](int line, int top) {
    const StudyProblem* problem = m_editor.problemAt(line);
    const QRect row(0, top, width() - 8, height);
    painter.setPen(line == m_editor.currentLine() ? theme.palette.color(QPalette::Text)
                                                  : theme.dimText);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
    if (problem != nullptr) {
      painter.setPen(theme.severityColor(problem->severity));
      painter.drawText(row.adjusted(4, 0, 0, 0),
                       Qt::AlignLeft | Qt::AlignVCenter,
                       severityGlyph(problem->severity));
    }
  });
}

bool EditorMargin::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPoint inText(0, help->pos().y());
    const int line = m_editor.cursorForPosition(inText).blockNumber() + 1;
    const StudyProblem* problem = m_editor.problemAt(line);
    QToolTip::showText(help->globalPos(), problem == nullptr ? QString() : problem->text, this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace ulp::views
