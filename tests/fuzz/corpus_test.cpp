#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/archive_targets.h"
#include "tests/fuzz/folder_targets.h"
#include "tests/fuzz/msprobe_targets.h"
#include "tests/fuzz/raw_elements_target.h"
#include "tests/fuzz/report_targets.h"
#include "tests/fuzz/tokenizer_target.h"
#include "tests/fuzz/yaml_targets.h"
#include "tests/support/machine/content_of.h"

namespace ulp::tensors {
namespace {

using test::contentOf;
using Target = void (*)(const std::uint8_t* data, std::size_t size);

/// Runs a target over its seeds, and over their halves and versions with one byte changed.
void runCorpus(const std::string& name, Target target) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(ULP_SOURCE_DIR "/tests/fuzz/corpus") / name)) {
    std::string content = contentOf(entry.path());
    const auto run = [&](std::size_t size) {
      target(reinterpret_cast<const std::uint8_t*>(content.data()), size);
    };
    run(content.size());
    run(content.size() / 2);
    for (std::size_t i = 0; i < content.size(); i += 7) {
      const char before = content[i];
      content[i] = static_cast<char>(~before);
      run(content.size());
      content[i] = before;
    }
    ++files;
  }
  EXPECT_GE(files, 3U) << name;
}

TEST(FuzzCorpusTest, TorchFilesAreReadOrRefused) {
  runCorpus("torch", fuzzTorch);
}

TEST(FuzzCorpusTest, NpzFilesAreReadOrRefused) {
  runCorpus("npz", fuzzNpz);
}

TEST(FuzzCorpusTest, AtbFilesAreReadOrRefused) {
  runCorpus("atb", fuzzAtb);
}

TEST(FuzzCorpusTest, NpyFilesAreReadOrRefused) {
  runCorpus("npy", fuzzNpy);
}

TEST(FuzzCorpusTest, SafetensorsFilesAreReadOrRefused) {
  runCorpus("safetensors", fuzzSafetensors);
}

TEST(FuzzCorpusTest, GgufFilesAreReadOrRefused) {
  runCorpus("gguf", fuzzGguf);
}

TEST(FuzzCorpusTest, TokenizersAreReadOrRefused) {
  runCorpus("tokenizer", text::fuzzTokenizer);
}

TEST(FuzzCorpusTest, DumpJsonOfMsprobeIsReadOrRefused) {
  runCorpus("msprobe", dumps::msprobe::fuzzDumpJson);
}

std::vector<std::string> hdf5Seeds() {
  std::vector<std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(ULP_SOURCE_DIR "/tests/fuzz/corpus") / "hdf5")) {
    contents.push_back(contentOf(entry.path()));
  }
  EXPECT_GE(contents.size(), 3U);
  return contents;
}

bool isOpened(const std::string& content, std::size_t size) {
  return dumps::fuzzHdf5(reinterpret_cast<const std::uint8_t*>(content.data()), size);
}

TEST(FuzzCorpusTest, Hdf5FilesThatAreCutShortAreRefused) {
  for (const std::string& content : hdf5Seeds()) {
    EXPECT_TRUE(isOpened(content, content.size()));
    for (std::size_t size = 0; size < content.size(); size += 397) {
      EXPECT_FALSE(isOpened(content, size)) << "cut to " << size;
    }
  }
}

/// HDF5 1.10 itself crashes on some of these. Wider steps than elsewhere: each is a process or
/// more.
TEST(FuzzCorpusTest, Hdf5FilesThatAreDamagedInsideAreReadOrRefused) {
  for (std::string content : hdf5Seeds()) {
    for (std::size_t i = 0; i < content.size(); i += 31) {
      const char before = content[i];
      content[i] = static_cast<char>(~before);
      isOpened(content, content.size());
      content[i] = before;
    }
  }
}

/// Else the targets would look at nothing.
TEST(FuzzCorpusTest, SeedsOfFoldersAreTakenForWhatTheyAre) {
  for (const auto& [name, importer] : {std::pair("msit", "msit_"),
                                       {"sglang", "sglang"},
                                       {"recording", "ulpscope_recording"},
                                       {"msprobe_folder", "msprobe"},
                                       {"msprobe_atb", "msprobe_atb"},
                                       {"fast_llm_logs", "fast_llm_tensor_logs"}}) {
    for (const auto& seed : std::filesystem::directory_iterator(
             std::filesystem::path(ULP_SOURCE_DIR "/tests/fuzz/corpus") / name)) {
      const dumps::FuzzFolder folder;
      dumps::unpack(contentOf(seed.path()), folder);
      const auto dump = dumps::openDump(folder.path());
      ASSERT_TRUE(dump) << seed.path() << ": " << dump.error().message();
      EXPECT_TRUE((*dump)->importer.starts_with(importer)) << seed.path();
      const auto unit = (*dump)->openUnit(0);
      ASSERT_TRUE(unit) << seed.path() << ": " << unit.error().message();
      EXPECT_FALSE((*unit)->entries.empty()) << seed.path();
    }
  }
}

TEST(FuzzCorpusTest, FoldersOfMsitAreReadOrRefused) {
  runCorpus("msit", dumps::fuzzFolder);
}

TEST(FuzzCorpusTest, FoldersOfSglangAreReadOrRefused) {
  runCorpus("sglang", dumps::fuzzFolder);
}

TEST(FuzzCorpusTest, RecordingsAreReadOrRefused) {
  runCorpus("recording", dumps::fuzzFolder);
}

TEST(FuzzCorpusTest, FoldersOfMsprobeAreReadOrRefused) {
  runCorpus("msprobe_folder", dumps::fuzzFolder);
}

TEST(FuzzCorpusTest, FoldersOfMsprobesAtbProbeAreReadOrRefused) {
  runCorpus("msprobe_atb", dumps::fuzzFolder);
}

TEST(FuzzCorpusTest, TensorLogsOfFastLlmAreReadOrRefused) {
  runCorpus("fast_llm_logs", dumps::fuzzFolder);
}

TEST(FuzzCorpusTest, FilesBesideADumpOfMsprobeAreReadOrRefused) {
  runCorpus("msprobe_stack", dumps::msprobe::fuzzCallStacks);
  runCorpus("msprobe_construct", dumps::msprobe::fuzzConstruct);
  runCorpus("msprobe_compare", dumps::msprobe::fuzzCompareJson);
  runCorpus("msprobe_statistic", dumps::msprobe::fuzzOperationStatistics);
}

TEST(FuzzCorpusTest, RawElementsAreReadOrRefused) {
  runCorpus("raw_elements", dumps::fuzzRawElements);
}

TEST(FuzzCorpusTest, FilesOfUsersAreReadOrRefused) {
  runCorpus("study", fuzzStudy);
  runCorpus("mapping", fuzzMapping);
  runCorpus("verdict_rules", fuzzVerdictRules);
}

TEST(FuzzCorpusTest, ReportsAreReadOrRefused) {
  runCorpus("report", report::fuzzReport);
  runCorpus("fast_llm_report", report::fuzzFastLlmReport);
}

std::string seed(const char* name) {
  return contentOf(std::filesystem::path(ULP_SOURCE_DIR "/tests/fuzz/corpus") / name);
}

/// Else the targets would look at nothing.
TEST(FuzzCorpusTest, SeedsOfTextsAreReadWhereTheyAreWhole) {
  for (const char* name : {"study/whole.yaml", "study/fast_llm.yaml"}) {
    const auto study = study::parseStudy(seed(name), name);
    EXPECT_TRUE(study) << (study ? "" : study.error().message());
  }
  for (const char* name :
       {"mapping/own.yaml", "mapping/msprobe_data.yaml", "mapping/msprobe_layers.yaml"}) {
    const auto mapping = analysis::SiteMapping::parse(seed(name), name);
    ASSERT_TRUE(mapping) << mapping.error().message();
    EXPECT_FALSE(mapping->isEmpty()) << name;
  }
  const auto rules = analysis::VerdictRules::parse(seed("verdict_rules/all.yaml"), "all.yaml");
  ASSERT_TRUE(rules) << rules.error().message();
  EXPECT_EQ(rules->all().size(), 4U);
  for (const char* name : {"report/study.json",
                           "report/dumps.json",
                           "fast_llm_report/first_version.json",
                           "fast_llm_report/second_version.json"}) {
    const auto report = report::parseReport(seed(name), name);
    ASSERT_TRUE(report) << report.error().message();
    EXPECT_FALSE(report->runs.at(1).comparisons.empty()) << name;
  }
}

}  // namespace
}  // namespace ulp::tensors
