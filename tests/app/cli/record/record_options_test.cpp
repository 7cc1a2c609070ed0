#include "app/cli/record/record_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/record/recorder_files.h"
#include "core/json/dump.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

using testing::HasSubstr;

std::string recordOptionsText(const RecordWishes& wishes) {
  const auto options = recordOptions(wishes, "/dump");
  return options ? json::dump(*options) : options.error().message();
}

TEST(RecordOptions, OnlyWhatWasSaidIsHandedOver) {
  EXPECT_EQ(recordOptionsText({}), R"({"folder":"/dump"})");
  EXPECT_EQ(recordOptionsText({.level = "mix",
                               .task = "checksum",
                               .modules = "mlp",
                               .list = {"linear", "silu"},
                               .scope = {"a", "b"},
                               .dataMode = {"forward"},
                               .ranks = "0,2-3",
                               .steps = "5",
                               .stepsBy = "call",
                               .hasStack = true,
                               .hasWeights = true}),
            R"({"folder":"/dump","level":"mix","task":"crc32","modules":"mlp","by":"call",)"
            R"("list":["linear","silu"],"scope":["a","b"],"data_mode":["forward"],)"
            R"("ranks":["0","2-3"],"steps":["5"],"stack":true,"weights":true})");
}

TEST(RecordOptions, TokensAreARange) {
  EXPECT_EQ(recordOptionsText({.tokens = "2:5"}), R"({"folder":"/dump","tokens":[2,5]})");
  EXPECT_EQ(recordOptionsText({.tokens = ":3"}), R"({"folder":"/dump","tokens":[0,3]})");
  EXPECT_EQ(recordOptionsText({.tokens = "4:"}), R"({"folder":"/dump","tokens":[4,null]})");
  for (const char* text : {"3", "a:b", "5:2", "-1:2"}) {
    EXPECT_THAT(recordOptionsText({.tokens = text}), HasSubstr("--tokens is '"));
  }
}

TEST(RecordOptions, NumbersThatAreNoneNameTheirOption) {
  for (const char* text : {"a", "1-", "3-1", "1,,2", "-1"}) {
    EXPECT_EQ(recordOptionsText({.steps = text}),
              std::string("--steps is '") + text + "'; it is numbers and ranges, such as 0,2-5");
  }
  EXPECT_THAT(recordOptionsText({.ranks = "x"}), HasSubstr("--ranks is 'x'"));
}

TEST(RecordOptions, TheFolderIsWishedOrOfTheConfigurationAndHoldsNoRecording) {
  const test::TempDir folder;
  const auto of = [](const RecordWishes& wishes) {
    const auto path = recordFolder(wishes);
    return path ? path->string() : path.error().message();
  };
  EXPECT_EQ(of({}), "name the folder of the recording with --out");
  const auto config = (folder / "config.json").string();
  folder.write("config.json", R"({"dump_path": "/somewhere/dump"})");
  EXPECT_EQ(of({.config = config}), "/somewhere/dump");
  EXPECT_EQ(of({.folder = "/else/where", .config = config}), "/else/where");
  folder.write("config.json", "{}");
  EXPECT_THAT(of({.config = config}), HasSubstr("config.json: dump_path: is missing"));
  folder.write("config.json", "no JSON");
  EXPECT_THAT(of({.config = config}), HasSubstr("config.json"));
  folder.write("dump/step0/rank0/index.jsonl", "");
  EXPECT_EQ(of({.folder = (folder / "dump").string()}),
            (folder / "dump").string() +
                ": a recording is there; name another folder with --out, or delete it");
}

TEST(RecorderFiles, AreThoseOfTheResources) {
  const std::filesystem::path place = std::filesystem::path(ULP_SOURCE_DIR) / "resources/python";
  std::size_t found = 0;
  for (const RecorderFile& file : recorderFiles()) {
    const bool isRecorder = file.name == "ulpscope_recorder.py";
    EXPECT_EQ(file.text,
              test::contentOf((isRecorder ? place : place / "ulpscope_record") / file.name));
    ++found;
  }
  EXPECT_EQ(found, 3U);
}

}  // namespace
}  // namespace ulp::cli
