// The window with a report of 200,000 rows: time to the first chart and to all views, memory, one
// filter, one sort, one change of baseline, and the longest time for which the GUI thread answered
// nothing. Every round is a process of its own; the best of them counts, since other work on the
// machine can only make a round slower.

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <QtCore/QTemporaryDir>
#include <QtWidgets/QApplication>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>

#include "app/gui/session/session.h"
#include "app/gui/start/first_frame.h"
#include "app/gui/window/last_session.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/view_docks.h"
#include "tests/bench/aim.h"
#include "tests/support/data/large_report.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/resident_memory.h"
#include "tests/support/window/event_passes.h"
#include "views/charts/depth_chart/depth_chart.h"
#include "views/framework/threads/background.h"
#include "views/plugins/table/table_view.h"

namespace {

using namespace ulp;
using test::EventPasses;
using test::processSeconds;

constexpr std::size_t kRows = 200'000;
constexpr int kRounds = 3;
constexpr double kPatience = 120;
constexpr double kStallLimitMs = 50;

/// Sees when a chart with curves has been painted.
class ChartWatch : public QObject {
 public:
  using QObject::QObject;
  [[nodiscard]] bool hasSeen() const { return m_hasSeen; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint && !m_hasSeen) {
      const auto* chart = qobject_cast<views::charts::DepthChart*>(watched->parent());
      m_hasSeen = chart != nullptr && !chart->data().curves.empty();
    }
    return false;
  }

 private:
  bool m_hasSeen = false;
};

double mebibytes(const std::string& key) {
  return static_cast<double>(test::processMemory(key)) / 1024 / 1024;
}

void say(const std::string& key, double value) {
  std::printf("%s %.6g\n", key.c_str(), value);
  std::fflush(stdout);
}

/// The window of one round.
class Round {
 public:
  explicit Round(QString report)
      : m_session({.settingsFile = m_own.filePath(QStringLiteral("settings.ini"))}),
        m_window(m_session),
        m_report(std::move(report)) {
    m_window.lastSession().restore();
    m_window.show();
    qApp->installEventFilter(&m_charts);
  }

  bool measure() {
    m_passes.runUntil([] { return false; }, 0.2);
    return open() && showViews() && filter() && sort() && changeBaseline();
  }

  /// Memory with the example that comes with the program and every view shown once.
  bool measureIdle() {
    m_session.workspace().reports.open({views::kExampleReport});
    m_passes.runUntil([this] { return m_charts.hasSeen(); }, kPatience);
    return settle() && showViews();
  }

 private:
  bool settle() {
    int calm = 0;
    return m_passes.runUntil(
        [&] {
          calm = m_session.background().isIdle() ? calm + 1 : 0;
          return calm > 3;
        },
        kPatience);
  }

  void sayStall(const std::string& where) {
    say("stall." + where, m_passes.longest().processorMs);
    say("stall_elapsed." + where, m_passes.longest().elapsedMs);
    m_passes.forget();
  }

  bool open() {
    m_passes.forget();
    m_start = EventPasses::Clock::now();
    const double processor = processSeconds();
    const double sinceProcess = app::millisecondsSinceProcessStart();
    m_window.open({m_report});
    if (!m_passes.runUntil([this] { return m_charts.hasSeen(); }, kPatience)) {
      return false;
    }
    say("first_chart", EventPasses::seconds(m_start));
    say("first_chart_processor", processSeconds() - processor);
    say("first_chart_process", EventPasses::seconds(m_start) + (sinceProcess / 1e3));
    const bool done = settle();
    sayStall("open");
    return done;
  }

  bool showViews() {
    for (const views::ViewDescriptor& view : m_session.registry().all()) {
      m_window.docks().raiseView(view.id);
      const auto start = EventPasses::Clock::now();
      if (!settle()) {
        return false;
      }
      say("show." + view.id.toStdString(), EventPasses::seconds(start));
      sayStall(view.id.toStdString());
    }
    say("all_views", EventPasses::seconds(m_start));
    say("resident", mebibytes("VmRSS"));
    say("peak", mebibytes("VmHWM"));
    return true;
  }

  bool isTableCurrent() {
    const auto* const table = m_window.findChild<views::TableView*>();
    return !m_session.background().isBusy(views::workTagOf(table, "table-query"));
  }

  template <class Act>
  bool timed(const std::string& what, Act act) {
    m_window.docks().raiseView(QStringLiteral("table"));
    settle();
    m_passes.forget();
    const auto start = EventPasses::Clock::now();
    act();
    if (!m_passes.runUntil([this] { return isTableCurrent(); }, kPatience)) {
      return false;
    }
    m_passes.runOnce();
    say(what, EventPasses::seconds(start));
    sayStall(what);
    return true;
  }

  bool filter() {
    auto* table = m_window.findChild<views::TableView*>();
    table->restoreState({{QStringLiteral("allVariants"), true}});
    settle();
    auto* edit = table->findChild<QLineEdit*>();
    const bool done = timed("filter", [&] { edit->setText(QStringLiteral("self_attn 11")); });
    edit->clear();
    return done && settle();
  }

  bool sort() {
    auto* table = m_window.findChild<QTableView*>(QStringLiteral("tensors"));
    const int column = views::kFirstMetric + 1;
    return timed("sort",
                 [&] { table->horizontalHeader()->setSortIndicator(column, Qt::DescendingOrder); });
  }

  bool changeBaseline() {
    for (const char* view : {"overview", "depth", "heatmap", "table"}) {
      m_window.docks().raiseView(QLatin1String(view));
      settle();
      m_passes.forget();
      const QString run = m_session.workspace().reports.document()->variantName(1);
      const auto start = EventPasses::Clock::now();
      const double processor = processSeconds();
      m_session.selection().selectBaseline(run, views::Relation::Ratio);
      const auto isShown = [&] {
        return m_session.workspace().reports.document()->basis().baseline == run;
      };
      if (!m_passes.runUntil([&] { return isShown() && isTableCurrent(); }, kPatience)) {
        return false;
      }
      // Paints what has changed.
      m_passes.runOnce();
      say(std::string("baseline.") + view, EventPasses::seconds(start));
      say(std::string("baseline_processor.") + view, processSeconds() - processor);
      if (!settle()) {
        return false;
      }
      say(std::string("findings.") + view, EventPasses::seconds(start));
      sayStall(std::string("baseline.") + view);
      m_session.selection().selectBaseline({}, views::Relation::Error);
      settle();
    }
    return true;
  }

  QTemporaryDir m_own;
  app::Session m_session;
  app::MainWindow m_window;
  QString m_report;
  ChartWatch m_charts;
  EventPasses m_passes;
  EventPasses::Clock::time_point m_start;
};

/// The offscreen platform complains about every window.
void printMessage(QtMsgType /*type*/, const QMessageLogContext& /*context*/, const QString& text) {
  if (!text.startsWith(QLatin1String("This plugin does not support"))) {
    std::fprintf(stderr, "%s\n", text.toLocal8Bit().constData());
  }
}

using Figures = std::map<std::string, double>;

/// The figures of a round in a process of its own; empty when it failed.
Figures runRound(const std::string& program, const std::string& task, const std::string& report) {
  const std::string command = "'" + program + "' " + task + " '" + report + "'";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  Figures figures;
  char key[128];
  double value = 0;
  while (pipe != nullptr && std::fscanf(pipe, "%127s %lf", key, &value) == 2) {
    figures[key] = value;
  }
  const int status = pipe == nullptr ? 1 : ::pclose(pipe);
  return status == 0 ? figures : Figures();
}

void print(const Figures& best) {
  const auto aim = [&best](const char* key, const char* title, double limit, const char* unit) {
    bench::printFigure({title, limit, unit}, best.at(key));
  };
  aim("first_chart", "first chart, from opening", 1.5, "s");
  bench::printFigure("  processor time of all threads", best.at("first_chart_processor"), "s");
  bench::printFigure(
      "first chart, from the start of the process", best.at("first_chart_process"), "s");
  aim("all_views", "every view shown once, from opening", 4, "s");
  bench::printFigure("memory with every view shown", best.at("resident"), "MiB");
  bench::printFigure("memory at its peak", best.at("peak"), "MiB");
  aim("filter", "filter of all rows, typed to shown", 0.2, "s");
  aim("sort", "sort of all rows, clicked to shown", 1, "s");
  for (const char* view : {"overview", "depth", "heatmap", "table"}) {
    aim((std::string("baseline.") + view).c_str(),
        (std::string("other baseline, clicked to shown in the view ") + view).c_str(),
        0.3,
        "s");
    bench::printFigure(
        "  processor time of all threads", best.at(std::string("baseline_processor.") + view), "s");
  }
  for (const auto& [key, value] : best) {
    if (key.starts_with("stall.")) {
      bench::printFigure({"GUI thread away, processor time: " + key.substr(6), kStallLimitMs, "ms"},
                         value);
    }
  }
  for (const auto& [key, value] : best) {
    if (key.starts_with("show.") || key.starts_with("findings.")) {
      bench::printFigure(key, value, "s");
    }
  }
}

/// In a child process, so that its memory does not count.
bool writeReport(const QString& folder) {
  const pid_t child = ::fork();
  if (child == 0) {
    const report::Report made = test::realisticReport(test::largeShape(kRows));
    std::printf("%zu rows in %zu variants\n", test::rowCount(made), made.runs.size() - 1);
    std::fflush(stdout);
    ::_exit(report::saveReport(made, folder.toStdString()).has_value() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0;
}

int runAll(const std::string& program) {
  QTemporaryDir folder;
  if (!writeReport(folder.path())) {
    std::fprintf(stderr, "large_report_bench: cannot write the report\n");
    return 1;
  }
  Figures best;
  for (int round = 0; round < kRounds; ++round) {
    const Figures figures = runRound(program, "--measure", folder.path().toStdString());
    if (figures.empty()) {
      std::fprintf(stderr, "large_report_bench: a round failed\n");
      return 1;
    }
    for (const auto& [key, value] : figures) {
      const auto [place, isNew] = best.emplace(key, value);
      place->second = std::min(place->second, value);
    }
  }
  const Figures idle = runRound(program, "--idle", "example");
  if (idle.empty()) {
    return 1;
  }
  print(best);
  bench::printFigure({"memory with the example report, every view shown", 150, "MiB"},
                     idle.at("resident"));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string task = argc < 3 ? "" : argv[1];
  if (task == "--write") {
    return writeReport(QString::fromLocal8Bit(argv[2])) ? 0 : 1;
  }
  if (task != "--measure" && task != "--idle") {
    return runAll(argv[0]);
  }
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  QApplication application(argc, argv);
  qInstallMessageHandler(&printMessage);
  Round round(QString::fromLocal8Bit(argv[2]));
  return (task == "--idle" ? round.measureIdle() : round.measure()) ? 0 : 1;
}
