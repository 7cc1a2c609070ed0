#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/threads.h"
#include "core/dumps/importers/importer.h"
#include "core/tensors/formats/hdf5/reader_process.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using tensors::archiveOf;
using tensors::numbers;
using tensors::PickleBytes;
using testing::ElementsAre;
using testing::HasSubstr;

/// A file of torch.save with the float32 tensor [1, 2].
std::string torchFile() {
  return archiveOf(PickleBytes().tensor("0", 2, 0, {2}, {1}).end(), numbers({1, 2}));
}

std::string safetensorsFile() {
  const std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                             R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})";
  return tensors::Bytes().number<std::uint64_t>(header.size()).text(header).content() +
         numbers({3, 4});
}

/// Of these names, each with one number.
std::string safetensorsFile(const std::vector<std::string>& names) {
  std::string header;
  std::string numbersOfAll;
  for (std::size_t i = 0; i < names.size(); ++i) {
    header += fmt::format(R"({}"{}":{{"dtype":"F32","shape":[1],"data_offsets":[{},{}]}})",
                          i == 0 ? "{" : ",",
                          names[i],
                          4 * i,
                          4 * i + 4);
    numbersOfAll += numbers({static_cast<float>(i)});
  }
  return tensors::Bytes().counted(header + "}").content() + numbersOfAll;
}

std::vector<std::string> namesOf(const DumpUnit& unit) {
  std::vector<std::string> names;
  for (const DumpEntry& entry : unit.entries) {
    names.push_back(entry.name);
  }
  return names;
}

TEST(TensorFilesImporterTest, AFolderIsOneUnitInNaturalOrder) {
  const test::TempDir dir;
  dir.write("layers.10/out.pt", torchFile());
  dir.write("layers.2/out.pt", torchFile());
  dir.write("layers.2/weights.safetensors", safetensorsFile());
  dir.write("notes.txt", "not a tensor");
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "tensor_files");
  ASSERT_EQ((*dump)->units.size(), 1U);
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(
      namesOf(**unit),
      ElementsAre("layers.2/out", "layers.2/weights/b", "layers.2/weights/w", "layers.10/out"));
  EXPECT_THAT(textsOf((*unit)->notes), testing::IsEmpty());
  EXPECT_THAT((*unit)->rows[0].shape, ElementsAre(2));
  EXPECT_EQ((*unit)->rows[0].dtype, "float32");
  const auto tensor = (*unit)->read(1);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(numerics::elementAt(tensor->view, 0), 4);
}

TEST(TensorFilesImporterTest, SoManyNamesAreInNaturalOrderToo) {
  constexpr std::size_t kCount = 70'000;
  std::string header = "{";
  for (std::size_t i = kCount; i-- > 0;) {
    header += "\"t" + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})" +
              (i == 0 ? "}" : ",");
  }
  const test::TempDir dir;
  const auto file = dir.write("x.safetensors", tensors::Bytes().counted(header).content());
  const auto dump = openDump(file);
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  ASSERT_EQ((*unit)->rows.size(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ((*unit)->rows[i].name, "t" + std::to_string(i));
  }
}

/// Opening one to read waits for somebody who writes.
TEST(TensorFilesImporterTest, NamedPipesAreLeftAloneWhateverTheyAreCalled) {
  const test::TempDir dir;
  dir.write("x.pt", torchFile());
  for (const char* name :
       {"y.npy", "y.bin", "y", "dump.json", "model_tree.json", "step0/rank0/index.jsonl"}) {
    std::filesystem::create_directories((dir / name).parent_path());
    ASSERT_EQ(::mkfifo((dir / name).c_str(), 0600), 0) << name;
  }
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "tensor_files");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(namesOf(**unit), ElementsAre("x"));
}

TEST(TensorFilesImporterTest, TensorsOfAnExportAreCalledWithoutItsFiles) {
  const test::TempDir dir;
  dir.write("one/tensors.safetensors", safetensorsFile());
  dir.write("two/bf16/tensors-00001-of-00002.safetensors", safetensorsFile());
  const auto unit = [&](const char* name) {
    return openDump(dir / name).value()->openUnit(0).value();
  };
  EXPECT_THAT(namesOf(*unit("one")), ElementsAre("b", "w"));
  EXPECT_THAT(namesOf(*unit("two")), ElementsAre("bf16/b", "bf16/w"));
}

DumpUnitPtr unitOf(const std::filesystem::path& path) {
  return openDump(path).value()->openUnit(0).value();
}

TEST(TensorFilesImporterTest, TensorsOfACheckpointAreCalledAlikeHoweverItIsSharded) {
  const test::TempDir dir;
  dir.write("a/model-00001-of-00002.safetensors", safetensorsFile({"m.v", "m.w"}));
  dir.write("a/model-00002-of-00002.safetensors", safetensorsFile({"head.weight"}));
  dir.write("b/model-00001-of-00002.safetensors", safetensorsFile({"m.v"}));
  dir.write("b/model-00002-of-00002.safetensors", safetensorsFile({"head.weight", "m.w"}));
  dir.write("c/model.safetensors", safetensorsFile({"head.weight", "m.v", "m.w"}));
  dir.write("d/one.safetensors", safetensorsFile({"m.v", "m.w"}));
  dir.write("d/two.safetensors", safetensorsFile({"head.weight"}));
  const auto index = dir.write("d/model.safetensors.index.json",
                               R"({"weight_map":{"m.v":"one.safetensors","m.w":"one.safetensors",)"
                               R"("head.weight":"two.safetensors"}})");
  dir.write(
      "e/pytorch_model.bin",
      archiveOf(PickleBytes().op("}").unicode("m.v").tensor("0", 1, 0, {1}, {1}).op("s").end(),
                numbers({1})));
  for (const char* folder : {"a", "b", "c", "d"}) {
    EXPECT_THAT(namesOf(*unitOf(dir / folder)), ElementsAre("head.weight", "m.v", "m.w")) << folder;
  }
  EXPECT_THAT(namesOf(*unitOf(dir / "e")), ElementsAre("m.v"));
  const DumpUnitPtr indexed = unitOf(index);
  EXPECT_THAT(namesOf(*indexed), ElementsAre("head.weight", "m.v", "m.w"));
  EXPECT_EQ(numerics::elementAt(indexed->read(2)->view, 0), 1);
}

TEST(TensorFilesImporterTest, OfTwoCheckpointsInAFolderTensorsKeepTheNamesOfTheirFiles) {
  const test::TempDir dir;
  dir.write("model.safetensors", safetensorsFile({"b", "w"}));
  dir.write("model-00001-of-00002.safetensors", safetensorsFile({"w"}));
  dir.write("model-00002-of-00002.safetensors", safetensorsFile({"b", "c"}));
  EXPECT_THAT(
      namesOf(*unitOf(dir.path())),
      ElementsAre("c", "model-00001-of-00002/w", "model-00002-of-00002/b", "model/b", "model/w"));
}

TEST(TensorFilesImporterTest, TheOnlyTensorOfAFileKeepsItsNameUnlessItIsAnyOrThatOfTheFile) {
  const test::TempDir dir;
  dir.write("a.safetensors", safetensorsFile({"tensor"}));
  dir.write("b.safetensors", safetensorsFile({"b"}));
  dir.write("c.safetensors", safetensorsFile({""}));
  dir.write("d.safetensors", safetensorsFile({"embed.weight"}));
  EXPECT_THAT(namesOf(*unitOf(dir.path())), ElementsAre("a", "b", "c", "d/embed.weight"));
}

TEST(TensorFilesImporterTest, ATensorWithoutANameIsCalledAlikeInAFileOfAnyName) {
  const test::TempDir dir;
  for (const char* name : {"a.safetensors", "b.safetensors"}) {
    EXPECT_THAT(namesOf(*unitOf(dir.write(name, safetensorsFile({"", "w"})))),
                ElementsAre("(unnamed)", "w"));
  }
}

TEST(TensorFilesImporterTest, AFileThatCannotBeReadIsANoteAndARowThatSaysWhyWhenRead) {
  const test::TempDir dir;
  dir.write("a.pt", torchFile());
  dir.write("b.pt", torchFile().substr(0, 100));
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(namesOf(**unit), ElementsAre("a", "b"));
  EXPECT_TRUE((*unit)->rows[0].hasElements);
  EXPECT_TRUE((*unit)->rows[1].hasElements);
  EXPECT_THAT(textsOf((*unit)->notes),
              ElementsAre(HasSubstr("b.pt: zip: its end record is missing")));
  const auto broken = (*unit)->read(1);
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message(), HasSubstr("b.pt: zip: its end record is missing"));
}

TEST(TensorFilesImporterTest, FilesOfOneNameKeepTheirExtension) {
  const test::TempDir dir;
  dir.write("a.pt", torchFile());
  dir.write("a.pth", torchFile());
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit);
  EXPECT_THAT(namesOf(**unit), ElementsAre("a.pt", "a.pth"));
}

TEST(TensorFilesImporterTest, OneFileIsADumpOfItsTensors) {
  const test::TempDir dir;
  const auto named = openDump(dir.write("any.name", safetensorsFile()));
  ASSERT_TRUE(named) << named.error().message();
  EXPECT_THAT(namesOf(**(*named)->openUnit(0)), ElementsAre("b", "w"));
  const auto unnamed = openDump(dir.write("hidden.pt", torchFile()));
  ASSERT_TRUE(unnamed) << unnamed.error().message();
  EXPECT_THAT(namesOf(**(*unnamed)->openUnit(0)), ElementsAre("hidden"));
  const auto broken = openDump(dir.write("broken.pt", torchFile().substr(0, 100)));
  ASSERT_TRUE(broken) << broken.error().message();
  EXPECT_THAT((*broken)->openUnit(0).error().message(), HasSubstr("broken.pt: zip"));
  EXPECT_FALSE(openDump(dir.write("text.pt", "hello")));
}

TEST(TensorFilesImporterTest, WhereNoFileCanBeReadTheFirstOneIsNamed) {
  const test::TempDir dir;
  dir.write("in/b.safetensors", "no header");
  dir.write("in/a.npy", "");
  const auto folder = openDump(dir / "in");
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message(), HasSubstr("in/a.npy: is empty; files that are read: "));
  const auto file = openDump(dir / "in/b.safetensors");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message(), HasSubstr("in/b.safetensors: "));
  dir.write("in/c.pt", torchFile());
  const auto whole = openDump(dir / "in");
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_THAT(namesOf(**(*whole)->openUnit(0)), ElementsAre("a", "b", "c"));
}

TEST(TensorFilesImporterTest, FilesThatMayBeAnythingAreNotMistakenForDamagedTensors) {
  const test::TempDir dir;
  dir.write("in/x.bin", "a program");
  dir.write("in/y.h5", "");
  const auto dump = openDump(dir / "in");
  ASSERT_FALSE(dump);
  EXPECT_THAT(dump.error().message(), HasSubstr("holds nothing that Ulpscope reads"));
}

/// The reader of HDF5 files, slowed down so that all threads ask meanwhile, and counted.
TEST(TensorFilesImporterTest, AFileThatSeveralThreadsReadIsOpenedOnce) {
  const test::TempDir dir;
  const std::filesystem::path seed =
      std::filesystem::path(ULP_SOURCE_DIR) / "tests/fuzz/corpus/hdf5/plain.h5";
  std::filesystem::create_directories(dir / "in");
  std::filesystem::copy_file(seed, dir / "in/plain.h5");
  const std::filesystem::path calls = dir.write("calls", "");
  const std::filesystem::path reader =
      dir.write("reader",
                "#!/bin/sh\necho call >> '" + calls.string() + "'\nsleep 0.3\nexec '" +
                    ULP_BINARY_DIR + "/bin/ulpscope-hdf5' \"$@\"\n");
  std::filesystem::permissions(reader, std::filesystem::perms::owner_all);
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread runs
  ::setenv(tensors::kHdf5ReaderVariable, reader.c_str(), 1);
  const auto dump = openDump(dir / "in");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  ASSERT_EQ((*unit)->rows.size(), 3U);
  std::filesystem::resize_file(calls, 0);
  constexpr std::size_t kThreads = 3;
  std::vector<std::string> problems(kThreads);
  const auto done = runOnThreads(kThreads, [&](std::size_t row) {
    const auto tensor = (*unit)->read(row);
    problems[row] = tensor ? "" : tensor.error().message();
  });
  ::unsetenv(tensors::kHdf5ReaderVariable);
  // NOLINTEND(concurrency-mt-unsafe)
  ASSERT_TRUE(done);
  EXPECT_THAT(problems, ElementsAre("", "", ""));
  EXPECT_EQ(std::filesystem::file_size(calls), std::string("call\n").size());
}

TEST(TensorFilesImporterTest, StopsWhenAsked) {
  const test::TempDir dir;
  dir.write("a.pt", torchFile());
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump);
  std::stop_source stop;
  stop.request_stop();
  const auto unit = (*dump)->openUnit(0, stop.get_token());
  ASSERT_FALSE(unit);
  EXPECT_EQ(unit.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::dumps
