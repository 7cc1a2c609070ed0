#include "views/plugins/bit_by_bit/bit_by_bit_view.h"

#include <utility>

#include <QtCore/QScopedValueRollback>
#include <QtCore/QSignalBlocker>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "core/report/model/one_dump.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/message.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/words/literal_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/workspace.h"
#include "views/studies/cause_pane.h"
#include "views/studies/cause_prover.h"

namespace ulp::views {
namespace {

const char* const kWork = "bit-by-bit";
/// News of a comparison: at most one a hundredth.
constexpr double kNewsStep = 0.01;

using Compared = Result<ComparedPairPtr>;

QString shortened(const QString& run) {
  return shortName(run.toStdString());
}

Compared comparePair(const OpenReports& open,
                     const std::string& baseline,
                     const std::string& candidate,
                     const std::stop_token& stop,
                     const std::function<void(double)>& news) {
  double told = 0;
  analysis::RebaseOptions options{.stop = stop};
  options.onTensor = [&](double fraction) {
    if (fraction - told >= kNewsStep) {
      told = fraction;
      news(fraction);
    }
  };
  auto pair = ULP_TRY(analysis::pairRuns(open.joined, open.sources, baseline, candidate, options));
  auto difference = ULP_TRY(analysis::runDifference(*pair.report, *pair.rows));
  return std::make_shared<const ComparedPair>(
      ComparedPair{.pair = std::move(pair), .difference = std::move(difference)});
}

}  // namespace

BitByBitView::BitByBitView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_prover(CauseProver::of(context.workspace, context.queue, context.background)),
      m_bar(new QWidget(this)),
      m_first(new QComboBox(m_bar)),
      m_second(new QComboBox(m_bar)),
      m_heading(makeTextLabel(this)),
      m_notes(makeTextLabel(this)),
      m_account(new QLabel(this)),
      m_cause(new CausePane(context, this)),
      m_model(new DifferenceModel(this)),
      m_table(makeTable(m_model, tr("Tensors that differ"), context.themes, this)) {
  makePage();
  for (QComboBox* chooser : {m_first, m_second}) {
    connect(chooser, &QComboBox::currentIndexChanged, this, &BitByBitView::compare);
  }
  connect(m_account, &QLabel::linkActivated, this, [this](const QString& link) {
    if (m_compared) {
      goTo(m_compared->row(link.toULongLong()));
    }
  });
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
    goTo(*m_model->row(index.row()).row);
  });
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &BitByBitView::selectCurrent);
}

void BitByBitView::makePage() {
  m_bar->setMinimumWidth(1);
  m_first->setObjectName(QStringLiteral("bitsFirst"));
  m_second->setObjectName(QStringLiteral("bitsSecond"));
  m_heading->setObjectName(QStringLiteral("bitsHeading"));
  m_notes->setObjectName(QStringLiteral("bitsNotes"));
  m_account->setObjectName(QStringLiteral("bitsAccount"));
  m_first->setAccessibleName(tr("Run to compare with"));
  m_first->setToolTip(tr("The run that the other one is compared with"));
  m_second->setAccessibleName(tr("Run to compare"));
  m_second->setToolTip(tr("The run that is compared"));
  for (QComboBox* chooser : {m_first, m_second}) {
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(16);
  }
  auto* with = new QLabel(tr("with"), m_bar);
  rowOf(m_bar,
        {m_second, with, m_first, BoxItem::stretch()},
        {.margins = QMargins(8, 4, 8, 4), .spacing = 8});
  QFont bold = m_heading->font();
  bold.setBold(true);
  m_heading->setFont(bold);
  m_notes->setForegroundRole(QPalette::PlaceholderText);
  m_account->setTextFormat(Qt::RichText);
  m_account->setWordWrap(true);
  m_account->setTextInteractionFlags(Qt::TextBrowserInteraction);
  auto* story = new QWidget(this);
  columnOf(story,
           {m_heading, m_notes, m_cause, m_account, BoxItem::stretch()},
           {.margins = QMargins(12, 8, 12, 8), .spacing = 8});
  auto* scrolled = new QScrollArea(this);
  scrolled->setWidgetResizable(true);
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setAccessibleName(tr("Account of the differences"));
  scrolled->setWidget(story);
  m_table->setObjectName(QStringLiteral("bit-by-bit"));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  auto* split = new QSplitter(Qt::Horizontal, this);
  split->addWidget(scrolled);
  split->addWidget(m_table);
  split->setChildrenCollapsible(false);
  split->setSizes({1000, 1000});
  auto* page = new QWidget(this);
  columnOf(page, {m_bar, {split, 1}}, kTight);
  setPage(page);
  setFocusProxy(m_table);
}

void BitByBitView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_bar->setEnabled(document != nullptr);
  fillChoosers();
  m_asked.clear();
  if (!document) {
    show(nullptr);
    context().background.cancel(workTag(kWork));
    showNoReport(
        tr("Here two runs are compared number by number: the first tensor that differs, "
           "what still agreed, and why."));
    return;
  }
  compare();
}

void BitByBitView::fillChoosers() {
  for (QComboBox* chooser : {m_first, m_second}) {
    const QSignalBlocker silent(chooser);
    const QString before = chooser->currentData().toString();
    chooser->clear();
    chooser->addItem(chooser == m_first ? tr("The baseline") : tr("The selected variant"),
                     QString());
    if (m_document) {
      for (const report::Run& run : m_document->basis().open->joined.report->runs) {
        const QString name = QString::fromStdString(run.name);
        chooser->addItem(runLabel(name), name);
      }
    }
    chooser->setCurrentIndex(std::max(0, chooser->findData(before)));
  }
}

QString BitByBitView::chosen(const QComboBox& chooser, const QString& followed) const {
  const QString name = chooser.currentData().toString();
  return name.isEmpty() ? followed : name;
}

QString BitByBitView::followedVariant() const {
  const QString selected = context().selection.selection().run();
  if (m_document->findVariant(selected) >= 0) {
    return selected;
  }
  return m_document->variantCount() > 0 ? m_document->variantName(0) : QString();
}

void BitByBitView::setSelection(const Selection& /*selection*/) {
  if (m_document) {
    compare();
    followSite();
  }
}

void BitByBitView::compare() {
  if (!m_document) {
    return;
  }
  const QString candidate = chosen(*m_second, followedVariant());
  const std::optional<CauseQuestion> usual = m_prover.questionOf(candidate);
  const QString baseline = chosen(*m_first, usual ? usual->baseline : m_document->baselineName());
  const QString asked = baseline + QLatin1Char('\n') + candidate;
  if (asked == m_asked) {
    return;
  }
  // What is shown of the same runs stays until the newer state of them is compared.
  if (asked != m_shown) {
    show(nullptr);
  }
  m_asked = asked;
  context().background.cancel(workTag(kWork));
  if (m_document->report().dumps) {
    pages().showEmpty(tr("For runs of studies"),
                      report::isOfOneDump(m_document->report())
                          ? tr("Two runs part somewhere. What is open is compared with nothing.")
                          : tr("Where two dumps part is told by their culprits, in the findings."));
  } else if (candidate.isEmpty()) {
    pages().showEmpty(tr("Nothing to compare"), tr("The report has no variant yet."));
  } else {
    startComparing(baseline, candidate);
  }
}

void BitByBitView::showProgress(double fraction) {
  if (m_compared) {
    return;
  }
  const QStringList runs = m_asked.split(QLatin1Char('\n'));
  pages().showEmpty(
      tr("Comparing %1 with %2…").arg(shortened(runs.back()), shortened(runs.front())),
      tr("%1 % of the tensors").arg(static_cast<int>(fraction * 100)),
      tr("Stop"),
      [this] {
        context().background.cancel(workTag(kWork));
        pages().showEmpty(
            tr("Stopped"), tr("The runs were not compared to the end."), tr("Compare"), [this] {
              m_asked.clear();
              compare();
            });
      });
}

void BitByBitView::startComparing(const QString& baseline, const QString& candidate) {
  showProgress(0);
  context().background.run<Compared, double>(
      workTag(kWork),
      this,
      [open = m_document->basis().open,
       first = baseline.toStdString(),
       second = candidate.toStdString()](const std::stop_token& stop,
                                         const std::function<void(double)>& news) {
        return comparePair(*open, first, second, stop, news);
      },
      [this](double fraction) { showProgress(fraction); },
      [this](const Compared& compared) { receive(compared); });
}

void BitByBitView::receive(const Compared& compared) {
  if (!compared) {
    show(nullptr);
    pages().showEmpty(tr("These runs cannot be compared"), errorText(compared.error()));
    return;
  }
  show(*compared);
  m_shown = m_asked;
  pages().showPage();
  followSite();
}

void BitByBitView::show(const ComparedPairPtr& compared) {
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  m_model->setContent(
      differenceColumns(),
      compared ? std::make_shared<const std::vector<DifferenceRow>>(differenceRows(*compared))
               : nullptr);
  // Rows point into it: the old ones have to go first.
  m_compared = compared;
  if (!compared) {
    m_shown.clear();
    m_cause->setQuestion(std::nullopt);
    return;
  }
  m_heading->setText(headingOf(*compared));
  const QStringList notes = notesOf(*compared);
  m_notes->setText(notes.join(QLatin1Char('\n')));
  m_notes->setVisible(!notes.isEmpty());
  m_account->setText(accountOf(*compared));
  m_table->setVisible(compared->difference.hasFirst());
  fitColumns(*m_table, 32);
  m_cause->setQuestion(
      compared->difference.hasFirst()
          ? std::optional(CauseQuestion{QString::fromStdString(compared->pair.baselineLabel),
                                        QString::fromStdString(compared->pair.candidateLabel)})
          : std::nullopt);
}

void BitByBitView::goTo(const report::Comparison& row) {
  const QString candidate = QString::fromStdString(m_compared->pair.candidateLabel);
  const bool isVariant = m_document->findVariant(candidate) >= 0;
  context().findings.showPlace(isVariant ? QStringList{candidate} : QStringList{}, row.site);
}

void BitByBitView::selectCurrent() {
  const QModelIndex index = m_table->currentIndex();
  if (!m_isFollowing && index.isValid()) {
    const QScopedValueRollback<bool> guard(m_isFollowing, true);
    const Site& site = m_model->row(index.row()).row->site;
    context().selection.selectSite(QString::fromStdString(site.name), site.pass);
  }
}

void BitByBitView::followSite() {
  if (m_isFollowing || !m_compared) {
    return;
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  const Selection& selection = context().selection.selection();
  for (int i = 0; i < m_model->rowCount(); ++i) {
    const Site& site = m_model->row(i).row->site;
    if (site.pass == selection.pass && QString::fromStdString(site.name) == selection.site) {
      m_table->setCurrentIndex(m_model->index(i, 0));
      return;
    }
  }
  m_table->clearSelection();
  m_table->setCurrentIndex({});
}

std::vector<Exhibit> BitByBitView::exhibits() const {
  if (!m_compared || m_model->rowCount() == 0) {
    return {};
  }
  const QString title = headingOf(*m_compared);
  std::vector<Exhibit> shown{{.id = QStringLiteral("bit-by-bit"),
                              .title = title,
                              .table = [rows = m_model->rows(), title, alive = m_compared] {
                                return dataOf(title, differenceColumns(), *rows);
                              }}};
  if (std::optional<Exhibit> cause = m_cause->exhibit()) {
    shown.push_back(*std::move(cause));
  }
  return shown;
}

void registerBitByBit(ViewRegistry& registry) {
  registry.add<BitByBitView>(
      {.id = QStringLiteral("bit_by_bit"),
       .title = BitByBitView::tr("Bit by bit"),
       .toolTip = BitByBitView::tr("Where two runs first hold another number, and why"),
       .icon = QStringLiteral("differences"),
       .shortcut = QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_E),
       .area = ViewArea::Bottom,
       .order = 7});
}

}  // namespace ulp::views
