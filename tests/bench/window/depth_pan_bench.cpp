// A depth chart of 64 curves × 3,000 points in a window of 1280 × 720: frames a second while the
// mouse drags it, zoomed in and as a whole, and while the crosshair follows the mouse. Every frame
// is a mouse event sent to the widget and the paint event that it causes.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <QtGui/QMouseEvent>
#include <QtWidgets/QApplication>

#include "tests/bench/aim.h"
#include "tests/support/data/many_curves.h"
#include "tests/support/window/event_passes.h"
#include "views/charts/depth_chart/depth_chart.h"

namespace {

using namespace ulp;
using views::charts::DepthChart;

constexpr int kCurves = 64;
constexpr int kPoints = 3000;
constexpr int kFrames = 30;
constexpr int kRounds = 3;
constexpr double kAim = 60;

struct Frames {
  double perSecond = 0;  ///< by processor time of the GUI thread
  double perSecondElapsed = 0;
  double longestMs = 0;  ///< processor time of the slowest frame
};

void send(DepthChart& chart, QEvent::Type type, const QPointF& at, Qt::MouseButton button) {
  const Qt::KeyboardModifiers shift =
      type == QEvent::MouseMove && button == Qt::NoButton ? Qt::NoModifier : Qt::ShiftModifier;
  const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : button;
  QMouseEvent event(type,
                    at,
                    chart.mapToGlobal(at),
                    type == QEvent::MouseMove ? Qt::NoButton : button,
                    held,
                    shift);
  QCoreApplication::sendEvent(&chart, &event);
}

/// Moves the mouse back and forth across the plot, with `button` held.
Frames move(DepthChart& chart, Qt::MouseButton button) {
  Frames best;
  best.longestMs = std::numeric_limits<double>::infinity();
  const QPointF centre = chart.frame().map.plot.center();
  for (int round = 0; round < kRounds; ++round) {
    if (button != Qt::NoButton) {
      send(chart, QEvent::MouseButtonPress, centre, button);
    }
    test::EventPasses passes;
    const double processor = test::EventPasses::processorSeconds();
    const auto start = test::EventPasses::Clock::now();
    double longest = 0;
    for (int frame = 0; frame < kFrames; ++frame) {
      const double before = test::EventPasses::processorSeconds();
      const double x = 200 * std::sin(frame * 2 * 3.14159 / kFrames);
      send(chart, QEvent::MouseMove, centre + QPointF(x, frame % 7), button);
      chart.repaint();
      longest = std::max(longest, (test::EventPasses::processorSeconds() - before) * 1e3);
    }
    const double own = test::EventPasses::processorSeconds() - processor;
    const double elapsed = test::EventPasses::seconds(start);
    if (button != Qt::NoButton) {
      send(chart, QEvent::MouseButtonRelease, centre, button);
    }
    best.perSecond = std::max(best.perSecond, kFrames / own);
    best.perSecondElapsed = std::max(best.perSecondElapsed, kFrames / elapsed);
    best.longestMs = std::min(best.longestMs, longest);
  }
  return best;
}

void print(const std::string& title, const Frames& frames) {
  bench::printFigure({title, kAim, "frames/s", bench::Better::Higher}, frames.perSecond);
  bench::printFigure("  by elapsed time", frames.perSecondElapsed, "frames/s");
  bench::printFigure("  slowest frame", frames.longestMs, "ms");
}

}  // namespace

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  const QApplication application(argc, argv);
  DepthChart chart;
  chart.resize(1280, 720);
  chart.setData(test::manyCurves(kCurves, kPoints));
  views::charts::DepthOptions options = chart.options();
  options.directLabels = false;
  chart.setOptions(options);
  chart.setCurrent(kPoints / 3, 5);
  chart.show();
  QCoreApplication::processEvents();
  print("pan, all of 64 curves x 3000 points", move(chart, Qt::LeftButton));
  const views::charts::Viewport all = chart.viewRange();
  chart.setViewRange({kPoints * 0.3, kPoints * 0.4}, all.y());
  print("pan, a tenth of them", move(chart, Qt::LeftButton));
  chart.showEverything();
  print("crosshair with read-out over all", move(chart, Qt::NoButton));
  return 0;
}
