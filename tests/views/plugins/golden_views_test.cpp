#include <filesystem>

#include <gtest/gtest.h>

#include <QtGui/QPainter>
#include <QtTest/QTest>

#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/window/golden.h"
#include "tests/views/captured_report.h"
#include "tests/views/context_fixture.h"
#include "tests/views/kept_log_probabilities.h"
#include "views/framework/view/view_host.h"
#include "views/framework/view/view_registry.h"

/// Every view as it looks, in both themes. A new view has to bring its pictures:
/// ULP_UPDATE_GOLDEN=1 build/dev/tests/views_test --gtest_filter='*GoldenViews*', then look at
/// them.
namespace ulp::views {
namespace {

constexpr QSize kSize(720, 440);
constexpr double kTolerance = 0.03;
constexpr const char* kConfiguration = R"({
  "reference": {"precision.compute_dtype": {"value": "float32", "origin": "default"},
                "model.path": {"value": "SmolLM2-135M-Instruct.gguf", "origin": "study"}},
  "bf16": {"precision.compute_dtype": {"value": "bfloat16", "origin": "variant"},
           "model.path": {"value": "SmolLM2-135M-Instruct.gguf", "origin": "study"}},
  "fp16": {"precision.compute_dtype": {"value": "float16", "origin": "variant"},
           "model.path": {"value": "SmolLM2-135M-Instruct.gguf", "origin": "study"}}})";

class GoldenViews : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const std::filesystem::path first = path("run");
    report::Report report = test::realisticReport(
        {.layers = 6, .variants = {"bf16", "fp16"}, .nonFiniteShare = 0.03, .missingShare = 0.02});
    report.effectiveJson = kConfiguration;
    test::addSteps(report);
    std::filesystem::create_directories(first);
    ASSERT_TRUE(report::saveReport(report, first));
    keepTensors(first);
    test::keepPolicies(first, report);
    m_fixture.workspace.open({QString::fromStdString(first.string())});
    m_fixture.settle();
    if (descriptor().id == QLatin1String("compare")) {
      openSecond();
    }
    Selection selection = m_fixture.selection.selection();
    selection.runs = {QStringLiteral("bf16")};
    selection.site = QStringLiteral("decoder.2");
    selection.pass = Pass::Forward;
    m_fixture.selection.select(selection);
    m_fixture.bookmarks.addCurrent();
    m_fixture.workspace.study.openNew();
    m_fixture.settle();
  }

  [[nodiscard]] std::filesystem::path path(const char* name) const {
    return std::filesystem::path(m_fixture.folder.path().toStdString()) / name;
  }

  static void keepTensors(const std::filesystem::path& folder) {
    auto writer = tensors::CaptureWriter::create(folder);
    ASSERT_TRUE(writer);
    const test::KeptTensor tensor{"decoder.2", {32, 64}, test::wave(std::size_t{32} * 64)};
    test::keepTensors(**writer, "reference", {tensor});
    test::KeptTensor rounded = tensor;
    rounded.dtype = DType::BFloat16;
    test::keepTensors(**writer, "bf16", {rounded});
  }

  /// A report whose tensors have other names in part.
  void openSecond() {
    report::Report other = test::realisticReport({.layers = 5, .variants = {"bf16_again"}});
    std::filesystem::create_directories(path("other"));
    ASSERT_TRUE(report::saveReport(other, path("other")));
    m_fixture.workspace.reports.openBeside({QString::fromStdString(path("other").string())});
    m_fixture.settle();
  }

  [[nodiscard]] static const ViewDescriptor& descriptor() {
    static const ViewRegistry kRegistry = builtinViews();
    return kRegistry.all()[static_cast<std::size_t>(GetParam())];
  }

  [[nodiscard]] QImage picture(ThemeChoice theme) {
    m_fixture.themes.setChoice(theme);
    ViewHost host(descriptor(), m_fixture.context());
    host.resize(kSize);
    host.show();
    m_fixture.settle();
    // What arrived may have asked for more.
    m_fixture.settle();
    return host.grab().toImage().convertToFormat(QImage::Format_RGB32);
  }

  test::ContextFixture m_fixture;
};

TEST_P(GoldenViews, LooksAsItDid) {
  const QString folder = QStringLiteral(ULP_SOURCE_DIR "/tests/views/plugins/golden/views/");
  for (const auto& [theme, name] : {std::pair(ThemeChoice::Light, QStringLiteral("light")),
                                    std::pair(ThemeChoice::Dark, QStringLiteral("dark"))}) {
    test::expectGoldenLayout(
        picture(theme),
        folder + descriptor().id + QLatin1Char('_') + name + QStringLiteral(".png"),
        kTolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Views,
    GoldenViews,
    testing::Range(0, static_cast<int>(builtinViews().all().size())),
    [](const testing::TestParamInfo<int>& view) {
      return builtinViews().all()[static_cast<std::size_t>(view.param)].id.toStdString();
    });

TEST(GoldenLayout, SeesWhatIsMissingAndNotTheFont) {
  const auto draw = [](const QString& family, bool withLine) {
    QImage image(320, 160, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(QFont(family, 10));
    for (int line = 0; line < 8; ++line) {
      if (line != 3 || withLine) {
        painter.drawText(
            10, 18 + line * 18, QStringLiteral("model.layers.11.mlp.down_proj 0.0123"));
      }
    }
    return image;
  };
  const QImage shown = draw(QStringLiteral("DejaVu Sans"), true);
  const auto differs = [&shown](const QImage& other) {
    return test::differingPart(test::blurred(shown, 8), test::blurred(other, 8), 16);
  };
  EXPECT_EQ(differs(shown), 0);
  EXPECT_GT(differs(draw(QStringLiteral("DejaVu Sans"), false)), kTolerance)
      << "one of eight lines is gone";
}

}  // namespace
}  // namespace ulp::views
