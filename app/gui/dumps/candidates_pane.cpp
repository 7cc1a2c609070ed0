#include "app/gui/dumps/candidates_pane.h"

#include <algorithm>

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPushButton>

#include "core/base/unit_axes.h"
#include "views/framework/widgets/layouts.h"

namespace ulp::app {
namespace {

constexpr int kCandidatesShown = 3;
/// Of the width; where there is no list the buttons stand at the right all the same.
constexpr int kListShare = 1000;

QString itemText(const report::DumpSide& side) {
  const QString path = QString::fromStdString(side.path.string());
  const std::string units = describe(side.units);
  return units.empty() ? path : QStringLiteral("%1 · %2").arg(path, QString::fromStdString(units));
}

}  // namespace

CandidatesPane::CandidatesPane(views::Background& background, QWidget* parent)
    : QWidget(parent),
      m_pane(new DumpSidePane(DumpSidePane::Side::Candidate, background, this)),
      m_list(new QListWidget(this)),
      m_add(new QPushButton(tr("&Add another"), this)),
      m_remove(new QPushButton(tr("&Remove"), this)) {
  m_list->setObjectName(QStringLiteral("candidates"));
  m_list->setAccessibleName(tr("Candidates"));
  m_list->setTextElideMode(Qt::ElideMiddle);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setFixedHeight(fontMetrics().lineSpacing() * (kCandidatesShown + 1));
  m_add->setObjectName(QStringLiteral("add-candidate"));
  m_add->setToolTip(tr("Compare one more dump with the baseline"));
  m_remove->setToolTip(tr("Do not compare the selected candidate"));
  for (QPushButton* button : {m_add, m_remove}) {
    button->setAutoDefault(false);
  }
  setFocusProxy(m_pane);
  auto* buttons = views::columnOf(
      nullptr, {m_add, m_remove, views::BoxItem::stretch()}, {.margins = QMargins()});
  views::columnOf(
      this,
      {m_pane, views::rowOf(nullptr, {{m_list, kListShare}, views::BoxItem::stretch(), buttons})},
      {.margins = QMargins()});
  connect(m_pane, &DumpSidePane::changed, this, &CandidatesPane::keepEdited);
  connect(m_list, &QListWidget::currentRowChanged, this, &CandidatesPane::edit);
  connect(m_add, &QPushButton::clicked, this, &CandidatesPane::add);
  connect(m_remove, &QPushButton::clicked, this, &CandidatesPane::remove);
  updateList();
}

void CandidatesPane::setSide(const report::DumpSide& side) {
  m_sides = {side};
  m_current = 0;
  updateList();
  m_pane->setSide(side);
}

bool CandidatesPane::isReady() const {
  return m_pane->isReady() && std::ranges::none_of(m_sides, [](const report::DumpSide& side) {
           return side.path.empty();
         });
}

void CandidatesPane::add() {
  m_sides.emplace_back();
  m_current = m_sides.size() - 1;
  updateList();
  m_pane->setSide({});
  m_pane->setFocus();
}

void CandidatesPane::remove() {
  m_sides.erase(m_sides.begin() + static_cast<std::ptrdiff_t>(m_current));
  m_current = std::min(m_current, m_sides.size() - 1);
  updateList();
  m_pane->setSide(report::DumpSide(m_sides[m_current]));
}

void CandidatesPane::edit(int row) {
  if (row >= 0 && static_cast<std::size_t>(row) < m_sides.size()) {
    m_current = static_cast<std::size_t>(row);
    m_pane->setSide(report::DumpSide(m_sides[m_current]));
  }
}

void CandidatesPane::keepEdited() {
  m_sides[m_current] = m_pane->side();
  updateList();
  Q_EMIT changed();
}

void CandidatesPane::updateList() {
  const QSignalBlocker silent(m_list);
  const auto count = static_cast<int>(m_sides.size());
  while (m_list->count() > count) {
    delete m_list->takeItem(m_list->count() - 1);
  }
  while (m_list->count() < count) {
    m_list->addItem(QString());
  }
  for (int row = 0; row < count; ++row) {
    const QString text = itemText(m_sides[static_cast<std::size_t>(row)]);
    m_list->item(row)->setText(text.isEmpty() ? tr("Nothing chosen yet.") : text);
    m_list->item(row)->setToolTip(text);
  }
  m_list->setCurrentRow(static_cast<int>(m_current));
  m_list->setVisible(count > 1);
  m_remove->setVisible(count > 1);
  m_add->setEnabled(m_pane->isReady());
}

}  // namespace ulp::app
