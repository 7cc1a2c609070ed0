#include "views/plugins/findings/finding_pane.h"

#include <algorithm>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QLabel>

#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/term_text.h"
#include "views/plugins/findings/finding_rows.h"
#include "views/studies/cause_pane.h"

namespace ulp::views {
namespace {

constexpr std::size_t kSitesShown = 12;

struct FindingPaneWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::FindingPane)
};

QString sitesText(const report::Finding& finding) {
  QStringList names;
  const std::size_t count = std::min(finding.sites.size(), kSitesShown);
  for (std::size_t i = 0; i < count; ++i) {
    names << siteText(finding.sites[i]);
  }
  if (finding.sites.size() > count) {
    names << FindingPaneWords::tr("… and %1 more").arg(finding.sites.size() - count);
  }
  return names.join(QLatin1Char('\n'));
}

}  // namespace

FindingPane::FindingPane(const ViewContext& context, QWidget* parent)
    : QScrollArea(parent),
      m_title(makeTextLabel(this)),
      m_explanation(makeTextLabel(this)),
      m_numbers(new QWidget(this)),
      m_grid(new QGridLayout(m_numbers)),
      m_sites(makeTextLabel(this)),
      m_cause(new CausePane(context, this)) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Explanation of the finding"));
  QFont bold = m_title->font();
  bold.setBold(true);
  m_title->setFont(bold);
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setHorizontalSpacing(12);
  m_grid->setVerticalSpacing(2);
  m_grid->setColumnStretch(2, 1);
  m_sites->setForegroundRole(QPalette::PlaceholderText);
  auto* content = new QWidget(this);
  columnOf(content,
           {m_title, m_cause, m_explanation, m_numbers, m_sites, BoxItem::stretch()},
           {.margins = QMargins(12, 8, 12, 8), .spacing = 8});
  setWidget(content);
  setFinding(nullptr);
}

void FindingPane::setFinding(const report::Finding* finding) {
  m_numbers->setHidden(finding == nullptr);
  m_sites->setHidden(finding == nullptr || finding->sites.size() < 2);
  m_title->setHidden(finding == nullptr);
  if (finding == nullptr) {
    m_explanation->setText(tr("Choose a finding to see the rule and its numbers."));
    return;
  }
  m_title->setText(sentenceText(finding->title));
  m_explanation->setText(sentenceText(finding->explanation));
  m_sites->setText(sitesText(*finding));
  fillNumbers(*finding);
}

void FindingPane::setQuestion(const std::optional<CauseQuestion>& question) {
  m_cause->setQuestion(question);
}

void FindingPane::showCause() {
  ensureWidgetVisible(m_cause);
  m_cause->setFocus(Qt::OtherFocusReason);
}

void FindingPane::fillNumbers(const report::Finding& finding) {
  while (QLayoutItem* item = m_grid->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  int row = 0;
  for (const report::FindingNumber& number : finding.numbers) {
    const QString label = ruleText(number.name);
    auto* name = new QLabel(number.run.empty() ? label
                                               : QStringLiteral("%1 (%2)").arg(
                                                     label, QString::fromStdString(number.run)),
                            m_numbers);
    name->setTextFormat(Qt::PlainText);
    auto* value = new QLabel(findingNumberText(number), m_numbers);
    value->setFont(fixedFont(value->font()));
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_grid->addWidget(name, row, 0);
    m_grid->addWidget(value, row, 1);
    ++row;
  }
}

}  // namespace ulp::views
