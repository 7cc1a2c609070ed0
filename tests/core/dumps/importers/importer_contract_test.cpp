#include <ostream>
#include <stop_token>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {

/// Found by GoogleTest, which otherwise prints the bytes of the structure.
// NOLINTNEXTLINE(readability-identifier-naming): the name that it looks for
static void PrintTo(const Importer& importer, std::ostream* out) {
  *out << importer.id;
}

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void append(std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    text += line + '\n';
  }
}

/// The error and the notes of a path that is opened with all its units.
std::string complaintsOf(const Importer& importer, const fs::path& path) {
  const auto dump = importer.open(path, {});
  if (!dump) {
    return dump.error().message();
  }
  std::string text;
  append(text, textsOf(dump->notes));
  for (std::size_t i = 0; i < dump->units.size(); ++i) {
    const auto unit = dump->openUnit(i);
    append(text, unit ? textsOf((*unit)->notes) : std::vector{unit.error().message()});
  }
  return text;
}

/// What every importer of the build must do; a new plug-in is checked without an edit here.
class ImporterContract : public testing::TestWithParam<Importer> {
 protected:
  test::TempDir m_dir;
};

TEST_P(ImporterContract, HasIdAndTitle) {
  EXPECT_FALSE(GetParam().id.empty());
  EXPECT_FALSE(GetParam().title.empty());
  EXPECT_EQ(builtinImporters().find(GetParam().id)->title, GetParam().title);
}

TEST_P(ImporterContract, WhatIsNoDumpIsNotClaimed) {
  const fs::path text = m_dir.write("text/notes.txt", "years of work");
  fs::create_directories(m_dir / "empty");
  for (const fs::path& path : {text,
                               text.parent_path(),
                               m_dir / "empty",
                               m_dir / "missing",
                               m_dir / "missing/dump.json"}) {
    EXPECT_EQ(GetParam().recognise(path), Claim::No) << path;
  }
}

TEST_P(ImporterContract, WhatIsMissingOrNoDumpIsNamedByTheErrorOfOpeningIt) {
  const fs::path text = m_dir.write("notes.txt", "years of work");
  for (const fs::path& path : {text, m_dir / "missing"}) {
    EXPECT_THAT(complaintsOf(GetParam(), path), HasSubstr(path.string()));
  }
}

TEST_P(ImporterContract, AnEmptyFolderHoldsNothing) {
  const auto dump = GetParam().open(m_dir.path(), {});
  if (!dump) {
    EXPECT_THAT(dump.error().message(), HasSubstr(m_dir.path().string()));
    return;
  }
  for (std::size_t i = 0; i < dump->units.size(); ++i) {
    const auto unit = dump->openUnit(i);
    ASSERT_TRUE(unit) << unit.error().message();
    EXPECT_TRUE((*unit)->rows.empty());
  }
}

TEST_P(ImporterContract, AFileThatIsCutShortIsNamed) {
  const std::string zip = "PK\x03\x04 the rest is lost";
  for (const fs::path& path :
       {m_dir.write("tensor_logs_3.pt", zip),
        m_dir.write("step=0___rank=0___name=x.pt", zip),
        m_dir.write("tensors.h5", "\x89HDF\r\n\x1a\n the rest is lost"),
        m_dir.write("dump.json", R"({"task": "statistics", "level": "L1", "data": {"Torch.a)")}) {
    static_cast<void>(GetParam().recognise(path));
    EXPECT_THAT(complaintsOf(GetParam(), path), HasSubstr(path.filename().string())) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         ImporterContract,
                         testing::ValuesIn(builtinImporters().all()),
                         [](const auto& test) { return test.param.id; });

TEST(Importers, AreThoseOfTheManual) {
  for (const char* id : {"fast_llm_tensor_logs",
                         "msit_atb",
                         "msit_torch",
                         "msprobe",
                         "msprobe_atb",
                         "raw_elements",
                         "sglang",
                         "tensor_files",
                         "torchtitan",
                         "ulpscope_recording",
                         "ulpscope_run"}) {
    EXPECT_NE(builtinImporters().find(id), nullptr) << id;
  }
  EXPECT_EQ(builtinImporters().find("none"), nullptr);
}

TEST(Importers, AStopEndsOpening) {
  const test::TempDir dir;
  std::stop_source source;
  source.request_stop();
  const auto dump = openDump(dir.path(), source.get_token());
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::dumps
