#include <cmath>
#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/text/name_limit.h"
#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/sanitizers.h"

namespace ulp::report {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

Report reread(const Report& report) {
  auto parsed = parseReport(toJson(report), "r.json");
  EXPECT_TRUE(parsed.has_value()) << parsed.error().message();
  return parsed ? std::move(*parsed) : Report{};
}

Error errorOf(std::string_view json) {
  const auto parsed = parseReport(json, "r.json");
  EXPECT_FALSE(parsed.has_value());
  return parsed ? Error(ErrorCode::Internal, "accepted") : parsed.error();
}

/// The sample with one change, as text.
template <class Change>
std::string changed(Change&& change) {
  auto json = ordered_json::parse(toJson(test::sampleReport(2, {"bf16"})));
  change(json);
  return json.dump();
}

TEST(ReportParser, ReadsBackEverythingThatWasWritten) {
  Report report = test::sampleReport(4, {"bf16", "fp16"});
  test::fillWithNan(report.runs[2].comparisons[3]);
  report.runs[2].comparisons[1].metrics[0] = INFINITY;
  report.runs[2].status = RunStatus::Failed;
  report.runs[2].error = "é \"quoted\"\n";
  report.runs[2].errorCode = ErrorCode::OutOfMemory;
  const Report again = reread(report);
  EXPECT_EQ(toJson(again), toJson(report));
  EXPECT_EQ(again.runs[2].error, report.runs[2].error);
  EXPECT_EQ(again.runs[2].errorCode, ErrorCode::OutOfMemory);
  EXPECT_EQ(again.runs[1].comparisons[1].site, report.runs[1].comparisons[1].site);
  EXPECT_EQ(again.runs[1].comparisons[1].metrics, report.runs[1].comparisons[1].metrics);
  EXPECT_EQ(again.studyYaml, report.studyYaml);
  EXPECT_EQ(again.provenance.startedAt, report.provenance.startedAt);
}

TEST(ReportParser, KeepsUnknownTopLevelFields) {
  const std::string json = changed([](ordered_json& report) {
    report["clusters"] = {{"a", 1}};
    report["findings"] = {{{"rule", "x"}}};
    report["odd \"key\""] = true;
  });
  const auto report = parseReport(json, "r.json");
  ASSERT_TRUE(report.has_value()) << report.error().message();
  const auto again = ordered_json::parse(toJson(*report));
  EXPECT_EQ(again.at("clusters").dump(), R"({"a":1})");
  EXPECT_EQ(again.at("findings").dump(), R"([{"rule":"x"}])");
  EXPECT_EQ(again.at("odd \"key\""), true);
}

TEST(ReportParser, PassesOverUnknownFieldsElsewhere) {
  const std::string json = changed([](ordered_json& report) {
    report["provenance"]["host"] = "h";
    report["runs"]["bf16"]["note"] = {1, 2};
    report["comparisons"]["bf16"][0]["note"] = "text";
    report["comparisons"]["bf16"][0]["flag"] = true;
    report["comparisons"]["bf16"][0]["nonfinite"]["other"] = 1;
  });
  const auto report = parseReport(json, "r.json");
  ASSERT_TRUE(report.has_value()) << report.error().message();
  EXPECT_EQ(report->metrics.size(), 5U);
}

TEST(ReportParser, ReadsMetricsThatItDoesNotKnow) {
  const std::string json = changed([](ordered_json& report) {
    report.erase("metrics");
    report["comparisons"]["bf16"][1]["kl"] = 0.25;
    report["comparisons"]["bf16"][1]["ulp"]["p99"] = "Infinity";
    report["comparisons"]["bf16"][0]["ulp"]["p99"] = "-Infinity";
  });
  const auto report = parseReport(json, "r.json");
  ASSERT_TRUE(report.has_value()) << report.error().message();
  const int kl = report->metricIndex("kl");
  const int p99 = report->metricIndex("ulp.p99");
  ASSERT_GE(kl, 0);
  ASSERT_GE(p99, 0);
  const auto& rows = report->runs[1].comparisons;
  EXPECT_EQ(rows[1].metrics.at(kl), 0.25);
  EXPECT_EQ(rows[1].metrics.at(p99), INFINITY);
  EXPECT_EQ(rows[0].metrics.at(p99), -INFINITY);
  EXPECT_TRUE(std::isnan(rows[0].metrics.at(kl)));
  EXPECT_EQ(rows[0].metrics.size(), report->metrics.size());
}

TEST(ReportParser, PutsTheReferenceFirst) {
  const std::string json = changed([](ordered_json& report) {
    const auto runs = report["runs"];
    report["runs"] = ordered_json::object();
    report["runs"]["bf16"] = runs["bf16"];
    report["runs"]["reference"] = runs["reference"];
  });
  const auto report = parseReport(json, "r.json");
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->runs[0].name, "reference");
  EXPECT_EQ(report->runs[1].name, "bf16");
}

TEST(ReportParser, ReadsFieldsInAnyOrder) {
  const auto sorted = nlohmann::json::parse(toJson(test::sampleReport(2, {"bf16"})));
  const auto report = parseReport(sorted.dump(2), "r.json");
  ASSERT_TRUE(report.has_value()) << report.error().message();
  EXPECT_EQ(report->runs[1].comparisons.size(), test::layerSites(2).size());
  EXPECT_DOUBLE_EQ(report->runs[1].comparisons[0].metrics.at(report->metricIndex("rms_rel")),
                   0.001);
}

TEST(ReportParser, RefusesANewerSchemaAndNamesBoth) {
  const std::string json = changed([](ordered_json& report) {
    report["schema"] = "ulpscope.report/2";
    report["runs"] = 5;
  });
  const Error error = errorOf(json);
  EXPECT_EQ(error.code(), ErrorCode::Unsupported);
  EXPECT_THAT(error.message(),
              HasSubstr("r.json:1:11: schema: the report is of schema "
                        "'ulpscope.report/2' and this version reads "
                        "'ulpscope.report/1'"));
}

TEST(ReportParser, RefusesOtherJson) {
  EXPECT_EQ(errorOf("{\"a\": 1}").message(),
            "r.json: not an Ulpscope report: the field 'schema' is missing; open the folder of a "
            "run, or the precision_report.json in it");
  EXPECT_THAT(errorOf("{\"schema\": \"other/1\"}").message(), HasSubstr("not an Ulpscope report"));
  EXPECT_THAT(errorOf("[]").message(), HasSubstr("expected an object, found a list"));
  EXPECT_THAT(errorOf("").message(), HasSubstr("r.json:1:1: not valid JSON"));
}

TEST(ReportParser, SaysWhatFilesOfOtherToolsAre) {
  struct Case {
    std::string text;
    const char* what;
  };
  const std::vector<Case> cases{
      {R"({"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": null,
           "data": {"Module.conv1.Conv2d.forward.0": {"input_args": []}}})",
       "a dump of msprobe, which holds one run and no comparison; compare it with another one: "
       "ulpscope-cli compare A B, or File > Compare dumps in the window"},
      {std::string("\x89HDF\r\n\x1a\n\0\0", 10), "open the run folder"},
      {"GGUF\x03", "model.path"},
      {"PK\x03\x04", "open the run folder"}};
  for (const Case& file : cases) {
    const Error error = errorOf(file.text);
    EXPECT_EQ(error.code(), ErrorCode::Unsupported) << error.message();
    EXPECT_THAT(error.message(), HasSubstr("r.json: not an Ulpscope report but ")) << file.what;
    EXPECT_THAT(error.message(), HasSubstr(file.what));
  }
}

TEST(ReportParser, StopsInTheMiddle) {
  const std::string json = toJson(test::sampleReport(50, {"bf16"}));
  std::stop_source stop;
  stop.request_stop();
  const auto parsed = parseReport(json, "r.json", stop.get_token());
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), ErrorCode::Cancelled);
}

TEST(ReportParser, SaysThatTheFileEnds) {
  const std::string json = toJson(test::sampleReport(1, {"bf16"}));
  EXPECT_THAT(errorOf(std::string_view(json).substr(0, json.size() / 2)).message(),
              HasSubstr("the file ends here: it is cut off or still being copied"));
}

TEST(ReportParser, NamesTheFieldThatIsWrong) {
  const auto message = [](auto change) {
    const Error error = errorOf(changed(change));
    EXPECT_EQ(error.code(), ErrorCode::CorruptData);
    return error.message();
  };
  EXPECT_THAT(message([](auto& r) { r["comparisons"]["bf16"][2]["count"] = "many"; }),
              HasSubstr("comparisons.bf16[2].count: expected a whole number, found text"));
  EXPECT_THAT(message([](auto& r) { r["comparisons"]["bf16"][2]["pass"] = "sideways"; }),
              HasSubstr("comparisons.bf16[2].pass: expected forward, backward, "
                        "parameter_gradient or optimizer, found \"sideways\""));
  EXPECT_THAT(message([](auto& r) { r["comparisons"]["bf16"][0].erase("name"); }),
              HasSubstr("comparisons.bf16[0]: the field 'name' is missing"));
  EXPECT_THAT(message([](auto& r) { r["comparisons"]["bf16"][1]["layer"] = 1LL << 40; }),
              HasSubstr("comparisons.bf16[1].layer: 1099511627776 is too large here"));
  for (const int layer : {2147483647, 8192, -2}) {
    EXPECT_THAT(
        message([layer](auto& r) { r["comparisons"]["bf16"][1]["layer"] = layer; }),
        HasSubstr("comparisons.bf16[1].layer: no model has a layer " + std::to_string(layer)));
  }
  EXPECT_THAT(message([](auto& r) { r["runs"]["bf16"]["status"] = "lost"; }),
              HasSubstr("runs.bf16.status: 'lost' is not a status"));
  EXPECT_THAT(message([](auto& r) { r["reference"] = "none"; }),
              HasSubstr("reference: there is no run 'none'"));
  EXPECT_THAT(message([](auto& r) { r["comparisons"]["none"] = ordered_json::array(); }),
              HasSubstr("comparisons: there is no run 'none'"));
}

TEST(ReportParser, RefusesNamesThatNobodyCouldShow) {
  for (const char* const field : {"name", "module"}) {
    const std::string longest = changed([field](auto& r) {
      r["comparisons"]["bf16"][2][field] = std::string(kLongestRowName, 'x');
    });
    EXPECT_TRUE(parseReport(longest, "r.json"));
    const Error error = errorOf(changed([field](auto& r) {
      r["comparisons"]["bf16"][2][field] = "model." + std::string(1'000'000, 'x');
    }));
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_THAT(error.message(), HasSubstr("comparisons.bf16[2]: 'model.xxx"));
    EXPECT_THAT(error.message(),
                HasSubstr("a name has 1000006 bytes; names of more than 8192 are not read"));
    EXPECT_LT(error.message().size(), 400U);
  }
}

TEST(ReportParser, RefusesARunThatIsListedTwice) {
  EXPECT_THAT(errorOf(R"({"schema":"ulpscope.report/1","runs":{"a":{},"a":{}}})").message(),
              HasSubstr("runs.a: the run is listed twice"));
}

/// A report of one variant with `rows`, of which `fieldsOf(row)` gives what stands behind the name.
template <class FieldsOf>
std::string withRows(int rows, const FieldsOf& fieldsOf) {
  std::string json =
      R"({"schema":"ulpscope.report/1","reference":"r","runs":{"r":{},"v":{}},"comparisons":{"v":[)";
  for (int row = 0; row < rows; ++row) {
    json += fmt::format(R"({}{{"name":"t{}"{}}})", row == 0 ? "" : ",", row, fieldsOf(row));
  }
  return json + "]}}";
}

TEST(ReportParser, RefusesMoreMetricsThanReportsHave) {
  const auto error =
      errorOf(withRows(2000, [](int row) { return fmt::format(R"(,"m{}":1)", row); }));
  EXPECT_EQ(error.code(), ErrorCode::CorruptData);
  EXPECT_THAT(error.message(), HasSubstr("comparisons.v[1000]: more than 1000 different metrics"));
}

TEST(ReportParser, RefusesMoreMetricsThanReportsHaveBehindTheRowsToo) {
  std::string text = withRows(2000, [](int) { return std::string(); });
  text.pop_back();
  text += R"(,"metrics":[)";
  for (int i = 0; i < 2000; ++i) {
    text += fmt::format(R"({}"m{}")", i == 0 ? "" : ",", i);
  }
  const auto error = errorOf(text + "]}");
  EXPECT_EQ(error.code(), ErrorCode::CorruptData);
  EXPECT_THAT(error.message(), HasSubstr("more than 1000 different metrics"));
}

TEST(ReportParser, NamesOfRunsHaveALongestLength) {
  const auto error =
      errorOf(R"({"schema":"ulpscope.report/1","runs":{")" + std::string(5000, 'r') + R"(":{}}})");
  EXPECT_EQ(error.code(), ErrorCode::Unsupported);
  EXPECT_THAT(error.message(), HasSubstr("rrr…rrr"));
}

TEST(ReportParser, MemoryOfValuesIsInProportionToTheFile) {
  const auto newMetrics = [](std::string_view form) {
    return [form](int row) {
      return row < 900 ? fmt::format(fmt::runtime(form), row) : std::string();
    };
  };
  const auto plain = errorOf(withRows(20'000, newMetrics(R"(,"m{}":1)")));
  EXPECT_EQ(plain.code(), ErrorCode::CorruptData);
  EXPECT_THAT(plain.message(), HasSubstr("name 900 different metrics, and their values would"));
  const auto spread = errorOf(withRows(
      4000, [](int row) { return fmt::format(R"(,"spread":{{"m{}":{{}}}})", row % 900); }));
  EXPECT_EQ(spread.code(), ErrorCode::CorruptData);
  EXPECT_THAT(spread.message(), HasSubstr("name 900 different metrics, and their values would"));
}

TEST(ReportParser, RunsHaveTensorsInCommon) {
  constexpr int kRuns = 5000;
  const auto reportOf = [](int different) {
    std::string runs = R"("r":{})";
    std::string comparisons;
    for (int i = 0; i < kRuns; ++i) {
      runs += fmt::format(R"(,"v{}":{{}})", i);
      comparisons +=
          fmt::format(R"({}"v{}":[{{"name":"t{}"}}])", i == 0 ? "" : ",", i, i % different);
    }
    return fmt::format(
        R"({{"schema":"ulpscope.report/1","reference":"r","runs":{{{}}},"comparisons":{{{}}}}})",
        runs,
        comparisons);
  };
  EXPECT_TRUE(parseReport(reportOf(3000), "r.json"));
  const auto error = errorOf(reportOf(5000));
  EXPECT_EQ(error.code(), ErrorCode::CorruptData);
  EXPECT_THAT(
      error.message(),
      HasSubstr("r.json: comparisons: 5000 runs name 5000 different tensors in 5000 rows; a "
                "table of them would have more than 16777216 places"));
}

TEST(ReportParser, ManyRunsAndFieldsTakeTimeInProportion) {
  std::string runs = R"("r":{})";
  std::string comparisons;
  std::string fields;
  for (int i = 0; i < 60'000; ++i) {
    runs += fmt::format(R"(,"v{}":{{}})", i);
    comparisons += fmt::format(R"({}"v{}":[])", i == 0 ? "" : ",", i);
    fields += fmt::format(R"("x{}":0,)", i);
  }
  const double before = test::processSeconds();
  const auto report = parseReport(
      fmt::format(
          R"({{{}"schema":"ulpscope.report/1","reference":"r","runs":{{{}}},"comparisons":{{{}}}}})",
          fields,
          runs,
          comparisons),
      "r.json");
  ASSERT_TRUE(report.has_value()) << report.error().message();
  EXPECT_EQ(report->runs.size(), 60'001U);
  EXPECT_EQ(report->runs.back().name, "v59999");
  // A tenth of what one comparison of each name with each other takes.
  EXPECT_LT(test::processSeconds() - before, 2 * test::sanitizerFactor());
}

TEST(ReportParser, RefusesEveryTruncation) {
  const std::string json = toJson(test::sampleReport(1, {"bf16"}));
  for (std::size_t size = 0; size + 2 < json.size(); size += 7) {
    EXPECT_EQ(errorOf(std::string_view(json).substr(0, size)).code(), ErrorCode::CorruptData)
        << size;
  }
}

TEST(ReportParser, ReadsSamplesSpreadsAndRolesBack) {
  Report report = test::sampleReport(1, {"bf16", "floor.repeat"});
  report.provenance.samples = 8;
  report.provenance.sequences = 16;
  report.provenance.sequenceLength = 128;
  auto& run = report.runs[1];
  run.samples = 5;
  run.lossSpread = {.sd = 0.5, .minimum = 2, .maximum = 3, .undefined = 1};
  Comparison& row = run.comparisons[0];
  row.spread.assign(row.metrics.size(), {.sd = 0.25, .minimum = 1, .maximum = 4});
  row.spread[4].undefined = 2;
  row.gainError = -0.125;
  row.gainSpread.sd = 0.0625;
  row.worst[0].sample = 3;
  report.runs[2].role = RunRole::Floor;
  report.runs[2].samples = 1;
  const auto read = parseReport(toJson(report), "r.json");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->provenance.samples, 8U);
  EXPECT_EQ(read->provenance.sequences, 16U);
  EXPECT_EQ(read->provenance.sequenceLength, 128U);
  EXPECT_EQ(read->runs[1].role, RunRole::Variant);
  EXPECT_EQ(read->runs[1].samples, 5U);
  EXPECT_EQ(read->runs[1].lossSpread.sd, 0.5);
  EXPECT_EQ(read->runs[1].lossSpread.undefined, 1U);
  const Comparison& back = read->runs[1].comparisons[0];
  ASSERT_EQ(back.spread.size(), 5U);
  EXPECT_EQ(back.spread[0].sd, 0.25);
  EXPECT_EQ(back.spread[0].maximum, 4);
  EXPECT_EQ(back.spread[4].undefined, 2U);
  EXPECT_EQ(back.gainError, -0.125);
  EXPECT_EQ(back.gainSpread.sd, 0.0625);
  EXPECT_EQ(back.worst[0].sample, 3U);
  EXPECT_EQ(read->runs[2].role, RunRole::Floor);
  EXPECT_EQ(read->metrics.size(), 5U) << "a spread is no metric";
  EXPECT_EQ(toJson(*read), toJson(report));
}

TEST(ReportParser, AReportOfOneSampleSaysNothingOfSamples) {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].comparisons[0].gainError = 0.5;
  const std::string json = toJson(report);
  EXPECT_EQ(json.find("sample"), std::string::npos);
  EXPECT_EQ(json.find("spread"), std::string::npos);
  EXPECT_EQ(json.find("role"), std::string::npos);
  EXPECT_EQ(parseReport(json, "r.json")->runs[1].samples, 1U);
}

}  // namespace
}  // namespace ulp::report
