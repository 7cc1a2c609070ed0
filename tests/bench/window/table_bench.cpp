// The tensor table with a million rows in a window of 1280 × 720: frames a second while it scrolls
// row by row and page by page, and how long it takes to sort and to filter it.

#include <cmath>
#include <cstdio>
#include <string>

#include <QtWidgets/QApplication>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>

#include "tests/bench/aim.h"
#include "tests/support/data/large_report.h"
#include "tests/support/window/event_passes.h"
#include "tests/views/lent_context.h"
#include "views/plugins/table/table_view.h"

namespace {

using namespace ulp;
using test::EventPasses;

constexpr std::size_t kRows = 1'000'000;
constexpr int kFrames = 120;
constexpr int kRounds = 3;
constexpr double kPatience = 60;

class TableBench {
 public:
  explicit TableBench(const views::DocumentPtr& document) : m_view(m_lent.context()) {
    m_view.restoreState({{QStringLiteral("allVariants"), true}});
    m_view.resize(1280, 720);
    m_view.show();
    m_view.setReport(document);
    views::Selection selection;
    selection.metric = document->defaultMetric();
    m_view.setSelection(selection);
    settle();
    m_table = m_view.findChild<QTableView*>(QStringLiteral("tensors"));
  }

  void measure() {
    std::printf("%d rows\n", m_table->model()->rowCount());
    scroll("scroll by three rows", 3);
    scroll("scroll by a page", 40);
    timed({"sort by a metric, clicked to shown", 1, "s"}, [this](int round) {
      m_table->horizontalHeader()->setSortIndicator(views::kFirstMetric + 1 + round,
                                                    Qt::DescendingOrder);
    });
    timed({"sort by name", 1, "s"}, [this](int round) {
      m_table->horizontalHeader()->setSortIndicator(
          0, round % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
    });
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    settle();
    timed({"filter, typed to shown", 1, "s"}, [this](int round) {
      m_view.findChild<QLineEdit*>()->setText(QStringLiteral("self_attn %1").arg(11 + round));
    });
    bench::printFigure({"GUI thread away, processor time", 50, "ms"},
                       m_passes.longest().processorMs);
  }

 private:
  void settle() {
    m_passes.runUntil([this] { return m_lent.background.isIdle(); }, kPatience);
    m_passes.runOnce();
  }

  void scroll(const std::string& title, int step) {
    QScrollBar* bar = m_table->verticalScrollBar();
    double best = 0;
    for (int round = 0; round < kRounds; ++round) {
      bar->setValue(bar->maximum() / (round + 2));
      m_passes.runOnce();
      const double start = EventPasses::processorSeconds();
      for (int frame = 0; frame < kFrames; ++frame) {
        bar->setValue(bar->value() + step);
        m_passes.runOnce();
      }
      best = std::max(best, kFrames / (EventPasses::processorSeconds() - start));
    }
    bench::printFigure({title, 50, "frames/s", bench::Better::Higher}, best);
  }

  template <class Act>
  void timed(const bench::Aim& aim, Act act) {
    double best = kPatience;
    for (int round = 0; round < kRounds; ++round) {
      const auto start = EventPasses::Clock::now();
      act(round);
      settle();
      best = std::min(best, EventPasses::seconds(start));
    }
    bench::printFigure(aim, best);
  }

  test::LentContext m_lent;
  views::TableView m_view;
  QTableView* m_table = nullptr;
  EventPasses m_passes;
};

}  // namespace

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  const QApplication application(argc, argv);
  test::ReportShape shape = test::largeShape(kRows);
  shape.worst = 0;
  TableBench(test::documentOf(test::realisticReport(shape))).measure();
  return 0;
}
