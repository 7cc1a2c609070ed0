// Another baseline for 32 variants: the report in relation to it and the document that views read,
// as the window makes them in the background. 200,000 rows in all, and 200,000 rows of every
// variant where the machine has the memory for 6.4 million rows twice.

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include <QtCore/QCoreApplication>

#include "tests/bench/aim.h"
#include "tests/support/data/large_report.h"
#include "tests/support/window/event_passes.h"
#include "views/framework/document/document_builder.h"

namespace {

using namespace ulp;

constexpr int kVariants = 32;
constexpr int kRows = 200'000;
constexpr double kAimSeconds = 0.3;
constexpr double kNeededGib = 12;

double availableGib() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  double kib = 0;
  std::string unit;
  while (file >> key >> kib >> unit) {
    if (key == "MemAvailable:") {
      return kib / (1024.0 * 1024.0);
    }
  }
  return 0;
}

void measure(int rowsPerVariant, int rounds) {
  test::ReportShape shape = test::wideShape(kVariants, rowsPerVariant);
  shape.worst = 0;
  const views::DocumentPtr plain = test::documentOf(test::realisticReport(shape));
  const std::size_t rows = test::rowCount(plain->report());
  views::DocumentRequest request{.sources = plain->basis().open->sources,
                                 .open = plain->basis().open,
                                 .plain = plain,
                                 .baseline = plain->variantName(kVariants / 2),
                                 .relation = views::Relation::Ratio};
  double best = std::numeric_limits<double>::infinity();
  double back = best;
  for (int round = 0; round < rounds; ++round) {
    const auto start = test::EventPasses::Clock::now();
    const auto built = views::buildDocument(request, {}, {});
    best = std::min(best, test::EventPasses::seconds(start));
    views::DocumentRequest reference = request;
    reference.baseline.clear();
    reference.relation = views::Relation::Error;
    const auto again = test::EventPasses::Clock::now();
    const auto returned = views::buildDocument(reference, {}, {});
    back = std::min(back, test::EventPasses::seconds(again));
  }
  const std::string title =
      std::to_string(kVariants) + " variants, " + std::to_string(rows) + " rows";
  bench::printFigure({"other baseline, " + title, kAimSeconds, "s"}, best);
  bench::printFigure({"back to the reference, " + title, kAimSeconds, "s"}, back);
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  measure(kRows / kVariants, 7);
  if (availableGib() >= kNeededGib) {
    measure(kRows, 2);
  }
  return 0;
}
