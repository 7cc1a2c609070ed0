#include "views/plugins/dump/finding_line.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/words/term_text.h"

namespace ulp::views {

FindingLine::FindingLine(QWidget* parent)
    : QWidget(parent), m_text(makeTextLabel(this)), m_show(new QPushButton(tr("Show me"), this)) {
  m_show->setAutoDefault(false);
  rowOf(this, {{m_text, 1}, m_show}, {.margins = QMargins(8, 4, 8, 0), .spacing = 8});
  connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT showRequested(m_index); });
  hide();
}

void FindingLine::setText(Severity severity, const QString& text) {
  m_text->setText(QStringLiteral("%1 %2").arg(severityGlyph(severity), text));
  show();
}

void FindingLine::showFinding(const report::Finding& finding, int index, bool namesRun) {
  m_index = index;
  m_show->show();
  m_text->setToolTip(sentenceText(finding.explanation));
  const QString title = sentenceText(finding.title);
  setText(finding.severity == report::FindingSeverity::Broken ? Severity::Broken : Severity::Look,
          namesRun && !finding.runs.empty()
              ? QStringLiteral("%1: %2").arg(QString::fromStdString(finding.runs.front()), title)
              : title);
}

void FindingLine::showText(Severity severity, const QString& text) {
  m_index = -1;
  m_show->hide();
  m_text->setToolTip({});
  setText(severity, text);
}

}  // namespace ulp::views
