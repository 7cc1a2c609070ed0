#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/numpy/npy_writer.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/formats/torch/torch_file.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "tests/app/cli/cli_process.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using test::CliOutcome;
using test::runCli;
using testing::HasSubstr;

/// A study's folder with tensors of two runs.
class ExportDump : public testing::Test {
 protected:
  void SetUp() override {
    auto writer = tensors::CaptureWriter::create(m_dir / "study");
    ASSERT_TRUE(writer) << writer.error().message();
    for (const std::string_view run : {"reference", "bf16"}) {
      ASSERT_TRUE((*writer)->beginRun(run));
      for (const Pass pass : {Pass::Forward, Pass::Backward}) {
        const Site site{"decoder.0", "model.layers.0", 0, Level::Layer, pass};
        ASSERT_TRUE((*writer)->put(site, {m_values.data(), DType::Float32, {2, 2}}, 0));
      }
      ASSERT_TRUE((*writer)->finishRun());
    }
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (m_dir / name).string(); }
  CliOutcome exported(const std::string& source,
                      const std::string& target,
                      const std::string& format,
                      std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"export", path(source), path(target), "--to", format};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments);
  }

  std::array<float, 4> m_values{1, 2, 3, 4};
  test::TempDir m_dir;
};

TEST_F(ExportDump, RunsBecomeDumpsThatCompareWithEachOther) {
  const CliOutcome outcome = exported("study", "dump", "msprobe");
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("wrote " + path("dump") + " (4 tensors"));
  const fs::path tensor = m_dir / "dump/bf16/step0/proc0/dump_tensor_data" /
                          "Module.model.layers.0.Module.forward.0.output.0.pt";
  const auto file = tensors::TorchFile::open(tensor);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(numerics::elementAt((*file)->read("")->view, 3), 4);
  const CliOutcome compared = runCli({"compare", path("dump/reference"), path("dump/bf16")});
  EXPECT_EQ(compared.exitCode, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("identical"));
}

TEST_F(ExportDump, OneRunIsOneFile) {
  ASSERT_EQ(exported("study#bf16", "a.safetensors", "safetensors").exitCode, 0);
  ASSERT_EQ(exported("study", "b.safetensors", "safetensors", {"--run", "bf16"}).exitCode, 0);
  for (const char* name : {"a.safetensors", "b.safetensors"}) {
    const auto archive = tensors::openSafetensors(m_dir / name);
    ASSERT_TRUE(archive) << archive.error().message();
    ASSERT_EQ((*archive)->tensors().size(), 2U);
    EXPECT_TRUE((*archive)->read("decoder.0.backward"));
  }
  const CliOutcome both = exported("study", "c.safetensors", "safetensors");
  EXPECT_EQ(both.exitCode, 2);
  EXPECT_THAT(both.err, HasSubstr("run reference"));
}

TEST_F(ExportDump, WhatWasExportedComparesWithWhereItCameFrom) {
  for (const char* target : {"file.safetensors", "folder"}) {
    ASSERT_EQ(exported("study#bf16", target, "safetensors").exitCode, 0);
    const CliOutcome compared = runCli({"compare", path("study#bf16"), path(target)});
    EXPECT_EQ(compared.exitCode, 0) << compared.err;
    EXPECT_THAT(compared.out, HasSubstr("identical")) << target;
  }
}

TEST_F(ExportDump, APatternAndAnEarlierExport) {
  ASSERT_EQ(exported("study#bf16", "out", "npy", {"--match", "decoder"}).exitCode, 0);
  EXPECT_TRUE(tensors::readNpy(m_dir / "out/decoder.0.npy"));
  const CliOutcome again = exported("study#bf16", "out", "npy");
  EXPECT_EQ(again.exitCode, 2);
  EXPECT_THAT(again.err, HasSubstr("--overwrite"));
  EXPECT_EQ(exported("study#bf16", "out", "npy", {"--overwrite"}).exitCode, 0);
  const CliOutcome none = exported("study#bf16", "none", "npy", {"--match", "nothing"});
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_THAT(none.err, HasSubstr("no name of a row holds 'nothing'"));
  EXPECT_FALSE(fs::exists(m_dir / "none"));
}

TEST_F(ExportDump, OptionsOfTheTwoKindsDoNotMix) {
  const CliOutcome what = exported("study", "out", "npy", {"--what", "depth"});
  EXPECT_EQ(what.exitCode, 2);
  EXPECT_THAT(what.err, HasSubstr("--what: is for reports"));
  const CliOutcome match = runCli({"export", path("study"), "-o", path("x.csv"), "--match", "a"});
  EXPECT_EQ(match.exitCode, 2);
  EXPECT_THAT(match.err, HasSubstr("--match: is for tensors"));
  const CliOutcome target = runCli({"export", path("study"), path("out"), "-o", path("x.csv")});
  EXPECT_EQ(target.exitCode, 2);
  EXPECT_THAT(target.err, HasSubstr("--to"));
  const CliOutcome nothing = runCli({"export", path("study")});
  EXPECT_EQ(nothing.exitCode, 2);
  EXPECT_THAT(nothing.err, AllOf(HasSubstr("-o FILE"), HasSubstr("--to")));
  const CliOutcome unknown = exported("study", "out", "onnx");
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err, HasSubstr("choose msprobe, npy, safetensors"));
}

TEST_F(ExportDump, RawElementsAreASourceAndASide) {
  const std::string bytes(reinterpret_cast<const char*>(m_values.data()), sizeof m_values);
  m_dir.write("a.bin", bytes);
  m_dir.write("b.bin", bytes);
  const CliOutcome outcome = exported("a.bin:float32[2,2]", "a.npy", "npy");
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const CliOutcome compared = runCli(
      {"compare", path("a.bin"), path("b.bin"), "--raw-dtype", "float32", "--raw-shape", "2,2"});
  EXPECT_EQ(compared.exitCode, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("identical"));
  const CliOutcome mixed = runCli(
      {"compare", path("a.npy"), path("b.bin"), "--raw-dtype", "float32", "--raw-shape", "2,2"});
  EXPECT_EQ(mixed.exitCode, 0) << mixed.err;
  EXPECT_THAT(mixed.out, HasSubstr("identical"));
  const CliOutcome flat = runCli({"compare", path("a.bin"), path("b.bin"), "--raw-dtype", "fp32"});
  EXPECT_EQ(flat.exitCode, 0) << flat.err;
  EXPECT_THAT(flat.out, HasSubstr("identical"));
  const CliOutcome half = runCli({"compare", path("a.bin"), path("b.bin"), "--raw-shape", "2,2"});
  EXPECT_EQ(half.exitCode, 2);
  EXPECT_THAT(half.err, HasSubstr("--raw-dtype"));
  const CliOutcome wrong = runCli(
      {"compare", path("a.bin"), path("b.bin"), "--raw-dtype", "float32", "--raw-shape", "3"});
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_THAT(wrong.err, HasSubstr("the shape asks for 3"));
  const CliOutcome needless = runCli(
      {"compare", path("a.npy"), path("a.npy"), "--raw-dtype", "float32", "--raw-shape", "2,2"});
  EXPECT_EQ(needless.exitCode, 2);
  EXPECT_THAT(needless.err, HasSubstr("neither"));
}

TEST_F(ExportDump, FoldersOfRawElementsAreSides) {
  std::string bytes(reinterpret_cast<const char*>(m_values.data()), sizeof m_values);
  for (const char* file :
       {"one/layers.0/out.bin", "two/layers.0/out.bin", "one/layers.1/out.bin"}) {
    m_dir.write(file, bytes);
  }
  bytes.back() = '\x7f';
  m_dir.write("two/layers.1/out.bin", bytes);
  for (const std::vector<std::string>& sides :
       {std::vector<std::string>{path("one"), path("two"), "--raw-dtype", "float32"},
        {path("one"), path("two"), "--raw-dtype=float32", "--raw-shape=-1,2"},
        {path("one:float32[2,-1]"), path("two:float32[2,2]")}}) {
    std::vector<std::string> words{"compare"};
    words.insert(words.end(), sides.begin(), sides.end());
    const CliOutcome outcome = runCli(words);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("layers.1/out"));
    EXPECT_THAT(outcome.out, HasSubstr("1 of 2")) << sides.back();
  }
}

TEST_F(ExportDump, ACompareJsonNamesBothSides) {
  ASSERT_EQ(exported("study", "dump", "msprobe").exitCode, 0);
  m_dir.write("compare.json",
              R"({"npu_path": "dump/bf16/step0/proc0/dump.json",
                  "bench_path": "dump/reference/step0/proc0/dump.json"})");
  const CliOutcome compared = runCli({"compare", path("compare.json")});
  EXPECT_EQ(compared.exitCode, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("identical"));
  const CliOutcome alone = runCli({"compare", path("dump")});
  EXPECT_EQ(alone.exitCode, 2);
  EXPECT_THAT(alone.err, HasSubstr("B is missing"));
}

}  // namespace
}  // namespace ulp::cli
