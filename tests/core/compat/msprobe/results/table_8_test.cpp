#include "core/compat/msprobe/results/table_8.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "tests/core/compat/recorded_table.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;
using dumps::msprobe::Record;
using dumps::msprobe::Section;

/// One entry with one output on both sides.
Sides sidesOf(Mode mode, const Record& target, const Record& golden) {
  Sides sides;
  sides.mode = mode;
  sides.target.entries.push_back({"Torch.a.1.forward", 0, 1});
  sides.target.records.push_back(target);
  sides.golden.records.push_back(golden);
  sides.pairs.push_back({0, 0, 0});
  return sides;
}

Record named(std::string name) {
  return {.name = std::move(name), .section = Section::Output, .isTensor = true};
}

TEST(Msprobe8RowTest, APairWithOtherNamesSaysThatItIsFuzzy) {
  const TensorComparison compared{metricsOf(MetricState::Unsupported),
                                  "Bench does not have data file."};
  const Sides same = sidesOf(Mode::Tensor, named("a"), named("a"));
  EXPECT_EQ(makeRow8(same, same.pairs.front(), &compared).message,
            "Bench does not have data file.");
  const Sides other = sidesOf(Mode::Tensor, named("a"), named("b"));
  EXPECT_EQ(makeRow8(other, other.pairs.front(), &compared).message,
            "Bench does not have data file. Fuzzy matching data, the comparison accuracy may be "
            "affected.");
}

TEST(Msprobe8RowTest, FilesThatCannotBeReadAreNamedAsAPair) {
  const ulp::test::TempDir dir;
  Record target = named("a");
  target.fileName = "a.pt";
  Record golden = named("a");
  golden.fileName = "b.pt";
  Sides sides = sidesOf(Mode::Tensor, target, golden);
  sides.target.path = dir / "target/dump.json";
  sides.golden.path = dir / "golden/dump.json";
  const auto compared = compareFiles(sides, Generation::V8, {}, {});
  ASSERT_TRUE(compared) << compared.error().message();
  EXPECT_EQ(compared->pairs.front().message,
            "Dump file: ['a.pt', 'b.pt'] not found or read failed.");
  EXPECT_EQ(compared->notes.size(), 1U);
}

TEST(Msprobe8RowTest, NothingOfValuesThatWereSavedIsColoured) {
  Record infinite = named("a");
  infinite.statistics.fill(numberCell(std::numeric_limits<double>::infinity()));
  Sides sides = sidesOf(Mode::Statistics, infinite, infinite);
  for (const auto& [file, fill] :
       {std::pair{"dump.json", "FFFF0000"}, std::pair{"debug.json", ""}}) {
    sides.target.path = file;
    test::RecordedTable table(titles8(sides), SheetInfinity::TabBehind);
    (void)writeTable8(sides, {}, true, table);
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[1][0], fill) << file;
  }
}

TEST(Msprobe8RowTest, TheTableOfSavedValuesIsCalledSo) {
  const ulp::test::TempDir dir;
  const std::string text = R"({"task": "statistics", "level": "debug", "dump_data_dir": null,
    "data": {"v.0.debug": {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2],
    "Max": 1.0, "Min": 1.0, "Mean": 1.0, "Norm": 1.0}}})";
  const fs::path target = dir.write("a/debug.json", text);
  const fs::path golden = dir.write("b/debug.json", text);
  for (const auto& [id, files] :
       {std::pair{"msprobe-8",
                  std::vector{dir / "debug_compare_result_1.xlsx", dir / "advisor_1.txt"}},
        std::pair{"msprobe-26", std::vector{dir / "debug_compare_result_1.csv"}}}) {
    const auto outcome = builtinComparators().find(id)->compare(
        {.target = target, .golden = golden, .output = dir.path(), .timestamp = "1"}, {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->files, files);
  }
}

/// Maximum, minimum, mean and norm, which these rules take one by one.
Record statistics(double max, double min = 0, double mean = 0, double norm = 0) {
  Record record = named("a");
  record.statistics = {numberCell(max), numberCell(min), numberCell(mean), numberCell(norm)};
  return record;
}

ComparedRow rowOfStatistics(const Record& target, const Record& golden) {
  const Sides sides = sidesOf(Mode::Statistics, target, golden);
  ComparedRow row = makeRow8(sides, sides.pairs.front(), nullptr);
  row.target = nullptr;  // of `sides`
  row.golden = nullptr;
  return row;
}

TEST(Msprobe8RowTest, StatisticsAreSubtractedAndDividedByThoseOfTheBench) {
  const ComparedRow row = rowOfStatistics(statistics(3, -1, 0.5, 2), statistics(2, -1, 0, 4));
  EXPECT_EQ(row.difference[0].number, 1);
  EXPECT_EQ(row.difference[1].number, 0);
  EXPECT_EQ(row.difference[2].number, 0.5);
  EXPECT_EQ(row.difference[3].number, -2);
  EXPECT_EQ(row.relative, (std::array<std::string, 4>{"50.0%", "0.0%", "N/A", "50.0%"}));
  Record words = statistics(std::numeric_limits<double>::quiet_NaN());
  words.statistics[1] = textCell("None");
  const ComparedRow other = rowOfStatistics(words, statistics(2));
  EXPECT_EQ(other.difference[0].text, "Nan");
  EXPECT_EQ(other.relative[0], "Nan");
  EXPECT_EQ(other.difference[1].text, "N/A");
  EXPECT_EQ(other.relative[1], "N/A");
}

TEST(Msprobe8RowTest, AChangeOfMoreThanHalfOfTheSizeIsAWarning) {
  const auto result = [](double target, double golden) {
    return rowOfStatistics(statistics(target), statistics(golden)).result;
  };
  EXPECT_EQ(result(2, 1), "");
  EXPECT_EQ(result(2.1, 1), "Warning");
  EXPECT_EQ(result(1, 2.1), "Warning");
  EXPECT_EQ(result(-2, -1), "Warning") << "divided by the larger number, not the larger size";
  EXPECT_EQ(result(-1, -1.4), "");
  EXPECT_EQ(result(1e-11, 0), "") << "next to nothing";
  const ComparedRow last = rowOfStatistics(statistics(1, 1, 1, 3), statistics(1, 1, 1, 1));
  EXPECT_EQ(last.result, "Warning");
  EXPECT_EQ(last.message, "Need double check api accuracy. ");
}

TEST(Msprobe8RowTest, GradientsThatAreAskedForOnOneSideAloneAreNamed) {
  Record asked = statistics(1);
  asked.requiresGrad = "True";
  Record other = statistics(1);
  other.requiresGrad = "False";
  EXPECT_EQ(rowOfStatistics(asked, other).message, "Requires_grad inconsistent. ");
  EXPECT_EQ(rowOfStatistics(asked, asked).message, "");
  Sides alone = sidesOf(Mode::Statistics, asked, asked);
  alone.pairs.front().golden = dumps::kNone;
  const ComparedRow row = makeRow8(alone, alone.pairs.front(), nullptr);
  EXPECT_EQ(row.result, "N/A");
  EXPECT_EQ(row.message, "No bench data matched.Requires_grad inconsistent. ");
}

TEST(Msprobe8RowTest, AChecksumPassesWhereItIsTheSame) {
  Record target = named("a");
  target.checksum = "1";
  Record golden = target;
  const auto resultOf = [&] {
    const Sides sides = sidesOf(Mode::Checksum, target, golden);
    return makeRow8(sides, sides.pairs.front(), nullptr).result;
  };
  EXPECT_EQ(resultOf(), "pass");
  golden.checksum = "2";
  EXPECT_EQ(resultOf(), "Different");
}

std::string accuracyOf(Metric cosine, Metric largest) {
  TensorComparison compared{metricsOf(MetricState::Unsupported), ""};
  compared.metrics[kCosine] = cosine;
  compared.metrics[kMaxAbsolute] = largest;
  const Sides sides = sidesOf(Mode::Tensor, named("a"), named("a"));
  return makeRow8(sides, sides.pairs.front(), &compared).result;
}

TEST(Msprobe8RowTest, TensorsAreJudgedByCosineAndLargestError) {
  const auto accuracy = [](double cosine, double largest) {
    return accuracyOf({MetricState::Number, cosine}, {MetricState::Number, largest});
  };
  EXPECT_EQ(accuracy(0.99, 0.5), "Yes");
  EXPECT_EQ(accuracy(0.98, 0.001), "Yes");
  EXPECT_EQ(accuracy(0.98, 0.002), "No");
  EXPECT_EQ(accuracy(0.9, 0.001), "Yes");
  EXPECT_EQ(accuracy(0.89, 0), "No");
  EXPECT_EQ(accuracy(1, 1), "Yes");
  EXPECT_EQ(accuracy(1, 1.1), "No");
  const Metric one{MetricState::Number, 1};
  EXPECT_EQ(accuracyOf({MetricState::ShapeUnmatched}, one), "Unmatched");
  EXPECT_EQ(accuracyOf({MetricState::NotAvailable}, one), "No");
  EXPECT_EQ(accuracyOf(one, {MetricState::NotAvailable}), "No");
  EXPECT_EQ(accuracyOf({MetricState::Unsupported}, one), "None");
  EXPECT_EQ(accuracyOf(one, {MetricState::Unsupported}), "None");
  EXPECT_EQ(accuracyOf({MetricState::Nan}, one), "Yes");
  EXPECT_EQ(accuracyOf({MetricState::Nan}, {MetricState::Number, 2}), "No");
}

/// An entry of several rows on both sides.
class Highlighting {
 public:
  explicit Highlighting(Mode mode) {
    m_sides.mode = mode;
    m_sides.target.path = "dump.json";
    m_sides.target.entries.push_back({"Torch.a.1.forward", 0, 0});
  }
  Highlighting& row(Section section, Record target, Record golden, const Metrics& metrics = {}) {
    const std::size_t place = m_sides.target.records.size();
    target.section = section;
    m_sides.target.records.push_back(std::move(target));
    m_sides.golden.records.push_back(std::move(golden));
    m_sides.pairs.push_back({0, place, place});
    if (m_sides.mode == Mode::Tensor) {
      m_tensors.pairs.push_back({metrics, ""});
    }
    return *this;
  }
  /// Colour and message of the last row: "red: …", "yellow: …", or nothing.
  [[nodiscard]] std::string last() const {
    test::RecordedTable table(titles8(m_sides), SheetInfinity::TabBehind);
    static_cast<void>(writeTable8(m_sides, m_tensors, true, table));
    const std::vector<std::string>& titles = table.rows.front();
    const auto message =
        static_cast<std::size_t>(std::ranges::find(titles, "Err_message") - titles.begin());
    const std::vector<std::string>& row = table.rows.back();
    return row[0].empty() ? "" : (row[0] == "FFFF0000" ? "red: " : "yellow: ") + row[message];
  }
  [[nodiscard]] std::optional<Suspect> suspect() const {
    test::RecordedTable table(titles8(m_sides), SheetInfinity::TabBehind);
    return writeTable8(m_sides, m_tensors, false, table);
  }

 private:
  Sides m_sides;
  ComparedTensors m_tensors;
};

/// Of an input that is the same on both sides, and this output.
std::string outputOf(double target, double golden) {
  return Highlighting(Mode::Statistics)
      .row(Section::Input, statistics(5), statistics(5))
      .row(Section::Output, statistics(target), statistics(golden))
      .last();
}

TEST(Msprobe8ColourTest, WhatIsNotFiniteOrHugeIsRed) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto alone = [](const Record& target, const Record& golden) {
    return Highlighting(Mode::Statistics).row(Section::Input, target, golden).last();
  };
  EXPECT_EQ(alone(statistics(1, -infinity), statistics(1, -infinity)),
            "red: maximum or minimum is nan, -inf, or inf");
  EXPECT_EQ(alone(statistics(infinity), statistics(1)),
            "red: maximum or minimum is nan, -inf, or inf");
  EXPECT_EQ(alone(statistics(3e10), statistics(2e10)), "");
  EXPECT_EQ(alone(statistics(3e10 + 100), statistics(2e10)),
            "red: maximum absolute error exceeds 1e+10");
}

TEST(Msprobe8ColourTest, AnOutputThatIsFarOffByItselfIsRedAndByItsInputYellow) {
  EXPECT_EQ(outputOf(1.6, 1), "red: maximum relative error exceeds 0.5");
  const std::string yellow =
      "yellow: The output's maximum relative error exceeds 0.1, while the input/parameter's is "
      "below 0.01";
  EXPECT_EQ(outputOf(3, 2), yellow) << "half is not more than half";
  EXPECT_EQ(outputOf(11, 10), "");
  EXPECT_EQ(outputOf(111, 100), yellow);
  const auto withInput = [](double target, double golden) {
    return Highlighting(Mode::Statistics)
        .row(Section::Parameters, statistics(target), statistics(golden))
        .row(Section::Output, statistics(3), statistics(2))
        .last();
  };
  EXPECT_EQ(withInput(101, 100), "") << "one percent is not below it";
  EXPECT_EQ(withInput(1009, 1000), yellow);
}

TEST(Msprobe8ColourTest, AnErrorThatGrowsTenfoldIsYellow) {
  const auto grown = [](double input, double output) {
    return Highlighting(Mode::Statistics)
        .row(Section::Input, statistics(1000 + input), statistics(1000))
        .row(Section::Output, statistics(1000 + output), statistics(1000))
        .last();
  };
  const std::string yellow =
      "yellow: maximum absolute error of both input/parameters and output exceed 1, with the "
      "output larger by an order of magnitude";
  EXPECT_EQ(grown(2, 21), yellow);
  EXPECT_EQ(grown(2, 19), "");
  EXPECT_EQ(grown(1, 21), "") << "does not exceed 1";
  EXPECT_EQ(grown(-2, -21), yellow);
}

TEST(Msprobe8ColourTest, TheFirstRowCountsAsAnInput) {
  EXPECT_EQ(Highlighting(Mode::Statistics)
                .row(Section::Output, statistics(1), statistics(1))
                .row(Section::Output, statistics(1.6), statistics(1))
                .last(),
            "red: maximum relative error exceeds 0.5");
  EXPECT_EQ(
      Highlighting(Mode::Statistics).row(Section::Output, statistics(1.6), statistics(1)).last(),
      "");
}

TEST(Msprobe8ColourTest, OtherWordsOfGradientsAreYellow) {
  Record asked = statistics(1);
  asked.requiresGrad = "True";
  EXPECT_EQ(Highlighting(Mode::Statistics).row(Section::Input, asked, statistics(1)).last(),
            "yellow: Requires_grad inconsistent. \nrequires_grad is inconsistent");
  EXPECT_EQ(Highlighting(Mode::Checksum).row(Section::Input, asked, statistics(1)).last(), "");
}

TEST(Msprobe8ColourTest, TensorsThatLoseAgreementAreMarked) {
  const auto metrics = [](double cosine, double ratio) {
    Metrics all = metricsOf(MetricState::Number);
    all[kCosine].value = cosine;
    all[kOneThousandth].value = ratio;
    return all;
  };
  const auto marked = [&](double inCosine, double inRatio, double outCosine, double outRatio) {
    return Highlighting(Mode::Tensor)
        .row(Section::Input, statistics(1), statistics(1), metrics(inCosine, inRatio))
        .row(Section::Output, statistics(1), statistics(1), metrics(outCosine, outRatio))
        .last();
  };
  const std::string red =
      "red: The input/parameter's one thousandth err ratio exceeds 0.9, while the output's is "
      "below 0.6";
  const std::string fewer =
      "yellow: The output's one thousandth err ratio decreases by more than 0.1 compared to the "
      "input/parameter's";
  EXPECT_EQ(marked(1, 0.95, 1, 0.55), red);
  EXPECT_EQ(marked(1, 0.9, 1, 0.55), fewer);
  EXPECT_EQ(marked(1, 0.95, 1, 0.6), fewer);
  EXPECT_EQ(marked(1, 0.9, 1, 0.8), "");
  EXPECT_EQ(marked(1, 1, 0.8, 1),
            "yellow: The output's cosine decreases by more than 0.1 compared to the "
            "input/parameter's");
  EXPECT_EQ(marked(1, 1, 0.95, 1), "");
}

TEST(Msprobe8Advice, IsOfTheFirstRowThatIsBad) {
  Record bad = statistics(9);
  bad.name = "bad";
  const auto suspect = Highlighting(Mode::Statistics)
                           .row(Section::Input, statistics(1), statistics(1))
                           .row(Section::Output, bad, statistics(1))
                           .row(Section::Output, statistics(7), statistics(1))
                           .suspect();
  ASSERT_TRUE(suspect);
  EXPECT_EQ(suspect->row, 1U);
  EXPECT_EQ(suspect->name, "bad");
  EXPECT_FALSE(
      Highlighting(Mode::Statistics).row(Section::Input, statistics(1), statistics(1)).suspect());
}

TEST(Msprobe8Advice, DependsOnTheName) {
  EXPECT_EQ(adviceOn(std::nullopt),
            "Line: NA\nSuspect Nodes: NA\nExpert Advice: All data in comparison result meets the "
            "accuracy requirements.\n");
  const auto advice = [](const std::string& name) {
    const std::string text = adviceOn(Suspect{3, name});
    EXPECT_TRUE(text.starts_with("Line: 3\nSuspect Nodes: " + name + "\nExpert Advice: ")) << text;
    return text.substr(text.find("Advice: ") + 8, 20);
  };
  EXPECT_EQ(advice("Torch.a.0.forward.input.0"), "Look at where this i");
  EXPECT_EQ(advice("Torch.a.0.backward.input.0"), "Check whether the re");
  EXPECT_EQ(advice("Torch.matmul.0.forward.output.0"), "This API may give ot");
  EXPECT_EQ(advice("Torch.lstm.0.backward.output.0"), "This API may give ot");
  EXPECT_EQ(advice("Torch.a.0.forward.output.0"), "This is a forward AP");
  EXPECT_EQ(advice("Torch.a.0.backward.output.0"), "This is a backward A");
}

TEST(Msprobe8ColourTest, AreLeftOutOfMoreRowsThanASheetColours) {
  Sides sides;
  sides.pairs.resize(1'048'500);
  EXPECT_TRUE(isColoured8(sides, true));
  EXPECT_FALSE(isColoured8(sides, false));
  sides.pairs.emplace_back();
  EXPECT_FALSE(isColoured8(sides, true));
}

}  // namespace
}  // namespace ulp::compat::msprobe
