#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text/name_limit.h"
#include "core/dumps/importers/importer.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/core/tensors/store/foreign_hdf5.h"
#include "tests/support/machine/temp_dir.h"

/// Which names of tensors each format of files may have, and what is said of longer ones.
namespace ulp::dumps {
namespace {

using tensors::Bytes;
using testing::AllOf;
using testing::HasSubstr;

void writeSafetensorsOf(const test::TempDir& dir, const std::string& name) {
  const std::string header =
      "{\"" + name + R"(":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  dir.write("file.safetensors", Bytes().counted(header).number(1.0F).content());
}

void writePickleOf(const test::TempDir& dir, const std::string& name) {
  tensors::PickleBytes pickle;
  pickle.op("}").unicode(name).tensor("0", 1, 0, {1}, {1}).op("s");
  dir.write("file.pt", tensors::archiveOf(pickle.end(), tensors::numbers({1})));
}

void writeNpzOf(const test::TempDir& dir, const std::string& name) {
  const std::string array = tensors::npyBytes("<f4", "(1,)", tensors::numbers({1}));
  dir.write("file.npz", tensors::zipOf({{name + ".npy", array}, {"other.npy", array}}));
}

void writeGgufOf(const test::TempDir& dir, const std::string& name) {
  Bytes file;
  file.text("GGUF").number<std::uint32_t>(3).number<std::uint64_t>(1).number<std::uint64_t>(0);
  file.counted(name).number<std::uint32_t>(1).number<std::uint64_t>(1);
  file.number<std::uint32_t>(0).number<std::uint64_t>(0).padTo(32).number(1.0F);
  dir.write("file.gguf", file.content());
}

void writeHdf5Of(const test::TempDir& dir, const std::string& name) {
  tensors::ForeignHdf5 file(dir / "file.h5");
  file.endless(name, H5T_NATIVE_FLOAT, {1});
  file.endless("other", H5T_NATIVE_FLOAT, {1});
  ASSERT_TRUE(file.ok());
}

void writeMsprobeOf(const test::TempDir& dir, const std::string& name) {
  dir.write("step0/rank0/dump.json",
            R"({"task": "statistics", "level": "L1", "framework": "pytorch", )"
            R"("dump_data_dir": null, "data": {")" +
                name +
                R"(": {"output": [{"type": "torch.Tensor", "dtype": "torch.float32", )"
                R"("shape": [1], "Max": 1.0, "Min": 1.0, "Mean": 1.0, "Norm": 1.0}]}}})");
}

struct NamedFile {
  const char* format;
  const char* place;  ///< below the folder: what is opened
  void (*write)(const test::TempDir& dir, const std::string& name);
  std::size_t added = 0;            ///< what the format puts behind a name
  std::size_t longest = 1'000'000;  ///< that can be written at all
  const char* refusal = "a name has";
};

class LongNames : public testing::TestWithParam<NamedFile> {
 protected:
  /// Opens a file with one tensor of such a name.
  Result<DumpUnitPtr> opened(std::size_t bytes) {
    const test::TempDir dir;
    GetParam().write(dir, std::string(bytes, 'n'));
    const auto dump = openDump(dir / GetParam().place);
    return dump ? (*dump)->openUnit(0) : tl::unexpected<Error>(dump.error());
  }
};

TEST_P(LongNames, OfAsManyBytesAsAPathAreRead) {
  const std::size_t bytes = kLongestTensorName - GetParam().added;
  const auto unit = opened(bytes);
  ASSERT_TRUE(unit) << unit.error().message().substr(0, 500);
  ASSERT_FALSE((*unit)->rows.empty());
  EXPECT_THAT((*unit)->rows.front().name, HasSubstr(std::string(bytes, 'n')));
}

TEST_P(LongNames, AreRefusedWithTheirFile) {
  for (const std::size_t bytes : {kLongestTensorName + 1, GetParam().longest}) {
    const auto unit = opened(bytes);
    ASSERT_FALSE(unit) << bytes;
    const std::string& message = unit.error().message();
    EXPECT_THAT(message, AllOf(HasSubstr(GetParam().place), HasSubstr(GetParam().refusal)));
    EXPECT_LT(message.size(), 1000U) << "the name itself is not repeated";
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfEachFormat,
    LongNames,
    testing::Values(NamedFile{"Safetensors", "file.safetensors", writeSafetensorsOf},
                    NamedFile{"Pickle",
                              "file.pt",
                              writePickleOf,
                              0,
                              1'000'000,
                              "the path to a value is longer than 4096 bytes"},
                    NamedFile{"Npz", "file.npz", writeNpzOf, 0, 65'000},
                    NamedFile{"Gguf", "file.gguf", writeGgufOf, 0, 65'000},
                    NamedFile{"Hdf5", "file.h5", writeHdf5Of, 0, 60'000},
                    NamedFile{"Msprobe", "step0/rank0", writeMsprobeOf, 64}),
    [](const auto& instance) { return std::string(instance.param.format); });

/// The names of ATB's tensors are those of its files; what is long in the files is their header.
TEST(LongNamesOfAtb, AHeaderWithoutEndIsRefusedWithItsFile) {
  const test::TempDir dir;
  dir.write("x.bin", "$Version=1.0\n$Object.Count=1\n" + std::string(1'000'000, 'n'));
  const auto dump = openDump(dir / "");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_FALSE(unit);
  EXPECT_THAT(unit.error().message(), HasSubstr("x.bin: "));
  EXPECT_LT(unit.error().message().size(), 1000U);
}

}  // namespace
}  // namespace ulp::dumps
