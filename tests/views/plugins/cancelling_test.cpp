#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <sys/mman.h>
#include <thread>

#include <gtest/gtest.h>

#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/tensors/measured_pair.h"
#include "core/analysis/tensors/pair_statistics.h"
#include "core/analysis/tensors/tensor_pyramid.h"
#include "core/analysis/tokens/token_errors.h"
#include "core/base/stop_scope.h"
#include "core/report/formats/format.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/stall_listener.h"
#include "tests/views/realistic_report.h"
#include "views/commands/palette_model.h"
#include "views/framework/document/document_builder.h"
#include "views/plugins/compare/correspondence.h"
#include "views/plugins/heatmap/heatmap_data.h"
#include "views/plugins/table/table_order.h"
#include "views/plugins/tensor/inspector/profile_reader.h"

/// Whatever the window does in the background ends within 0.2 s of being asked to stop, on inputs
/// as large as users have them.
namespace ulp::views {
namespace {

using namespace std::chrono_literals;
using Job = std::function<void(const std::stop_token&)>;

/// Of all threads: what other programs take of the machine does not count.
double processorMs() {
  return test::processSeconds() * 1e3;
}

/// Processor time that a job takes from being asked to stop until it has ended. It is asked once it
/// has worked for `afterMs`.
double msToStop(const Job& job, double afterMs) {
  std::atomic<bool> hasEnded = false;
  const double start = processorMs();
  std::jthread worker([&](const std::stop_token& stop) {
    job(stop);
    hasEnded = true;
  });
  while (!hasEnded && processorMs() - start < afterMs) {
    std::this_thread::sleep_for(1ms);
  }
  const double asked = processorMs();
  worker.request_stop();
  worker.join();
  return processorMs() - asked;
}

void expectStopsAtOnce(const char* what, const Job& job) {
  const double limitMs = 200 * test::slowness();
  for (const double afterMs : {0.0, 40.0, 150.0}) {
    EXPECT_LT(msToStop(job, afterMs), limitMs) << what << ", stopped after " << afterMs << " ms";
  }
}

/// A tensor of 2^30 elements that takes no memory: the system gives every page of zeros once.
class HugePair {
 public:
  HugePair()
      : m_bytes(::mmap(
            nullptr, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    const tensors::Tensor tensor{{m_bytes, DType::Float32, {kRows, kColumns}}, nullptr};
    pair = *analysis::makeTensorPair(
        {"logits", "lm_head", -1, Level::Layer, Pass::Forward}, tensor, tensor);
    plane = *analysis::makePlane(pair->shape(), *analysis::parseSlice("", pair->shape()), {});
  }
  ~HugePair() { ::munmap(m_bytes, kBytes); }
  HugePair(const HugePair&) = delete;
  HugePair& operator=(const HugePair&) = delete;

  static constexpr std::int64_t kRows = 1 << 13;
  static constexpr std::int64_t kColumns = 1 << 17;
  analysis::TensorPairPtr pair;
  analysis::TensorPlane plane;

 private:
  static constexpr std::size_t kBytes = std::size_t{4} * kRows * kColumns;
  void* m_bytes;
};

/// Twice the same report of 32 variants of a model of 126 layers: 97,000 rows each.
struct LargeReport {
  std::vector<analysis::ReportSource> sources;
  DocumentPtr document;
};

LargeReport makeLargeReport() {
  test::ReportShape shape{.layers = 126, .variants = {}, .nonFiniteShare = 0.002};
  for (int i = 0; i < 32; ++i) {
    shape.variants.push_back("variant_" + std::to_string(i));
  }
  report::Report report = test::realisticReport(shape);
  for (report::Run& run : report.runs) {
    for (report::Comparison& row : run.comparisons) {
      row.worst.resize(std::min<std::size_t>(row.worst.size(), 1));
    }
  }
  const auto shared = std::make_shared<const report::Report>(std::move(report));
  LargeReport large;
  for (const char* folder : {"first", "second"}) {
    large.sources.push_back({{.report = shared,
                              .file = std::filesystem::path(folder) / "precision_report.json",
                              .folder = folder},
                             {}});
  }
  large.document = ReportDocument::build(large.sources.front().loaded);
  return large;
}

const LargeReport& largeReport() {
  static const LargeReport kReport = makeLargeReport();
  return kReport;
}

class CancellingReportJobs : public testing::Test {
 protected:
  /// Made here, so that no job waits for it.
  void SetUp() override { ASSERT_EQ(largeReport().document->variantCount(), 32); }
};

TEST_F(CancellingReportJobs, MakingATableOfEveryRow) {
  for (const char* id : {"csv", "xlsx"}) {
    const auto format = report::findReportFormat(id);
    ASSERT_TRUE(format);
    expectStopsAtOnce(id, [&](const std::stop_token& stop) {
      const StopScope scope(stop);
      EXPECT_TRUE(format->writeReport(largeReport().document->report(), {}).has_value() ||
                  stop.stop_requested());
    });
  }
}

TEST_F(CancellingReportJobs, OpeningAReport) {
  const test::TempDir folder;
  report::Report part = largeReport().document->report();
  part.runs.resize(20);
  ASSERT_TRUE(report::saveReport(part, folder.path()));
  expectStopsAtOnce("reading", [&](const std::stop_token& stop) {
    EXPECT_TRUE(report::loadReport(folder.path(), stop).has_value() || stop.stop_requested());
  });
}

TEST_F(CancellingReportJobs, ChangingTheBaseline) {
  for (const Relation relation : {Relation::Ratio, Relation::Difference}) {
    expectStopsAtOnce("another baseline", [&](const std::stop_token& stop) {
      static_cast<void>(buildDocument({.sources = {largeReport().sources.front()},
                                       .open = largeReport().document->basis().open,
                                       .baseline = QStringLiteral("variant_3"),
                                       .relation = relation},
                                      stop));
    });
  }
}

TEST_F(CancellingReportJobs, JoiningReports) {
  std::vector<analysis::ReportSource> sources = largeReport().sources;
  sources.insert(sources.end(), largeReport().sources.begin(), largeReport().sources.end());
  expectStopsAtOnce("joining", [&](const std::stop_token& stop) {
    const auto built = buildDocument({.sources = sources}, stop);
    EXPECT_TRUE(built || built.error().code() == ErrorCode::Cancelled);
  });
}

TEST_F(CancellingReportJobs, Findings) {
  const analysis::FindingRuleRegistry rules = analysis::builtinFindingRules();
  expectStopsAtOnce("findings", [&](const std::stop_token& stop) {
    static_cast<void>(analysis::findFindings(largeReport().document->report(), rules, {}, stop));
  });
}

TEST_F(CancellingReportJobs, TheTable) {
  for (const int column : {-1, static_cast<int>(TensorColumn::Tensor), kFirstMetric + 1}) {
    expectStopsAtOnce("rows of the table", [&](const std::stop_token& stop) {
      static_cast<void>(queryTable(*largeReport().document,
                                   {.filter = QStringLiteral("model"), .sortColumn = column},
                                   stop));
    });
  }
}

TEST_F(CancellingReportJobs, TheHeatmap) {
  expectStopsAtOnce("cells of the heatmap", [&](const std::stop_token& /*stop*/) {
    static_cast<void>(
        variantsByLayer(*largeReport().document, {.kind = QStringLiteral("all"), .metric = 1}));
  });
}

TEST_F(CancellingReportJobs, GoingToATensor) {
  std::vector<PaletteItem> items;
  for (int copy = 0; copy < 64; ++copy) {
    for (const Site& site : largeReport().document->sites()) {
      items.push_back({.id = QString::number(items.size()),
                       .text = QString::fromStdString(site.name),
                       .detail = {}});
    }
  }
  std::optional<PaletteItems> index;
  expectStopsAtOnce("making the index",
                    [&](const std::stop_token& /*stop*/) { index.emplace(items); });
  expectStopsAtOnce("searching", [&](const std::stop_token& stop) {
    static_cast<void>(index->search(QStringLiteral("mlgt"), {}, nullptr, stop));
  });
}

TEST_F(CancellingReportJobs, Correspondence) {
  const auto open = joinSources(largeReport().sources);
  expectStopsAtOnce("correspondence of two reports", [&](const std::stop_token& /*stop*/) {
    static_cast<void>(correspond(*open, 1));
  });
}

class CancellingTensorJobs : public testing::Test {
 protected:
  HugePair m_huge;
};

TEST_F(CancellingTensorJobs, Statistics) {
  expectStopsAtOnce("statistics", [&](const std::stop_token& stop) {
    const auto computed = analysis::computePairStatistics(*m_huge.pair, stop, nullptr);
    ASSERT_FALSE(computed) << "too small a tensor for this test";
    EXPECT_EQ(computed.error().code(), ErrorCode::Cancelled);
  });
}

TEST_F(CancellingTensorJobs, Pictures) {
  for (const analysis::Quantity quantity :
       {analysis::Quantity::Reference, analysis::Quantity::Ulp}) {
    expectStopsAtOnce("pyramid", [&](const std::stop_token& stop) {
      EXPECT_FALSE(
          analysis::buildPyramid(*m_huge.pair, m_huge.plane, quantity, stop, nullptr).has_value());
    });
    expectStopsAtOnce("preview", [&](const std::stop_token& stop) {
      static_cast<void>(
          analysis::readPreview(*m_huge.pair, m_huge.plane, quantity, 240, 400, stop));
    });
  }
}

TEST_F(CancellingTensorJobs, Profiles) {
  expectStopsAtOnce("profiles", [&](const std::stop_token& stop) {
    static_cast<void>(readProfiles(
        *m_huge.pair, m_huge.plane, {100, 100}, {0, 0, HugePair::kRows, HugePair::kColumns}, stop));
  });
}

TEST_F(CancellingTensorJobs, AnotherBaselineFromKeptTensors) {
  numerics::Comparer comparer;
  expectStopsAtOnce("comparison", [&](const std::stop_token& stop) {
    const auto compared =
        analysis::measure(m_huge.pair->reference, m_huge.pair->variant, comparer, {}, stop);
    ASSERT_FALSE(compared) << "too small a tensor for this test";
    EXPECT_EQ(compared.error().code(), ErrorCode::Cancelled);
  });
}

TEST_F(CancellingTensorJobs, TokensAndHeadsOfTheHeatmap) {
  numerics::Comparer comparer({.worstCount = 0, .threads = 1});
  const numerics::MetricRegistry metrics = numerics::elementMetrics();
  const numerics::TensorView& view = m_huge.pair->reference.view;
  expectStopsAtOnce("tokens", [&](const std::stop_token& stop) {
    const auto errors = analysis::tokenErrors(view, view, metrics.all().front(), comparer, stop);
    ASSERT_FALSE(errors) << "too small a tensor for this test";
  });
}

}  // namespace
}  // namespace ulp::views
