#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/files/in_pieces.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/elements/raw_tensor.h"
#include "core/tensors/formats/gguf/gguf.h"
#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/formats/torch/torch_file.h"
#include "core/tensors/opening/tensor_file.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/support/machine/temp_dir.h"

/// A stop is seen while a file of many names is opened, and within a tensor of many pieces that
/// cannot be shown where it lies.
namespace ulp::tensors {
namespace {

constexpr std::size_t kManyNames = 20'000;

std::string safetensorsOf(const std::string& json, const std::string& data) {
  return Bytes().counted(json).text(data).content();
}

std::string manyInSafetensors() {
  std::string json = "{";
  for (std::size_t i = 0; i < kManyNames; ++i) {
    json += (i == 0 ? "\"t" : ",\"t") + std::to_string(i) +
            R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  }
  return safetensorsOf(json + "}", "");
}

std::string manyInPickle() {
  PickleBytes pickle;
  pickle.op("}(");
  for (std::size_t i = 0; i < kManyNames; ++i) {
    pickle.unicode("t" + std::to_string(i)).integer(1);
  }
  pickle.op("u");
  return archiveOf(pickle.end());
}

std::string manyInNpz() {
  std::vector<ZipEntry> members;
  for (std::size_t i = 0; i < kManyNames; ++i) {
    members.push_back({std::to_string(i) + ".npy", npyBytes("|u1", "(0,)", "")});
  }
  return zipOf(members);
}

std::string manyInGguf() {
  Bytes file;
  file.text("GGUF")
      .number<std::uint32_t>(3)
      .number<std::uint64_t>(kManyNames)
      .number<std::uint64_t>(0);
  for (std::size_t i = 0; i < kManyNames; ++i) {
    file.counted("t" + std::to_string(i)).number<std::uint32_t>(1).number<std::uint64_t>(0);
    file.number<std::uint32_t>(24).number<std::uint64_t>(0);
  }
  return file.padTo(32).text("\x01").content();
}

struct ManyNames {
  const char* name;
  std::string (*content)();
};

class StoppedOpening : public testing::TestWithParam<ManyNames> {};

TEST_P(StoppedOpening, IsCancelledAndNotCalledDamaged) {
  const test::TempDir dir;
  const auto file = dir.write("many", GetParam().content());
  const auto whole = openTensorFile(file);
  ASSERT_TRUE(whole) << whole.error().message();
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  const auto opened = openTensorFile(file);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::Cancelled) << opened.error().message();
}

INSTANTIATE_TEST_SUITE_P(OfEachFormat,
                         StoppedOpening,
                         testing::Values(ManyNames{"Safetensors", manyInSafetensors},
                                         ManyNames{"Pickle", manyInPickle},
                                         ManyNames{"Npz", manyInNpz},
                                         ManyNames{"Gguf", manyInGguf}),
                         [](const auto& instance) { return std::string(instance.param.name); });

constexpr std::size_t kLargeBytes = 3 * kPieceBytes;

/// Bytes of which each says in which piece and where it is.
std::string largeData(std::size_t bytes = kLargeBytes) {
  std::string data(bytes, '\0');
  for (std::size_t i = 0; i < bytes; i += 1021) {
    data[i] = static_cast<char>(i / 1021 % 100);
  }
  return data;
}

std::string listedExtent(std::size_t elements) {
  return "[" + std::to_string(elements) + "]";
}

/// The header is of a size that puts float32 on odd addresses.
Result<Tensor> readUnaligned() {
  std::string json = R"({"x":{"dtype":"F32","shape":)" + listedExtent(kLargeBytes / 4) +
                     R"(,"data_offsets":[0,)" + std::to_string(kLargeBytes) + "]}}";
  json.resize(json.size() + (json.size() % 2 == 0 ? 1 : 2), ' ');
  const auto file = parseSafetensors(sourceOf(safetensorsOf(json, largeData())));
  return file ? (*file)->read("x") : tl::unexpected<Error>(file.error());
}

Result<Tensor> readWidened() {
  return parseRawTensor(sourceOf(largeData()), {.dtype = "uint16", .shape = {-1}});
}

/// Two columns, of which the first comes first in the file.
Result<Tensor> readFortran() {
  std::string file = npyBytes("<f4", "(" + std::to_string(kLargeBytes / 8) + ", 2)", largeData());
  file.replace(file.find("False"), 5, "True ");
  return parseNpy(sourceOf(file));
}

Result<Tensor> readDeflated() {
  const auto npz = parseNpz(
      sourceOf(zipOf({deflated("x.npy", npyBytes("|u1", "(50331648,)", largeData(50331648)))})));
  return npz ? (*npz)->read("x") : tl::unexpected<Error>(npz.error());
}

/// Blocks of 34 bytes, of more elements than one thread decodes between two looks.
Result<Tensor> readBlocks() {
  constexpr std::uint64_t kBlocks = std::uint64_t{1} << 20;
  Bytes file;
  file.text("GGUF").number<std::uint32_t>(3).number<std::uint64_t>(1).number<std::uint64_t>(0);
  file.counted("x").number<std::uint32_t>(1).number<std::uint64_t>(kBlocks * 32);
  file.number<std::uint32_t>(8).number<std::uint64_t>(0).padTo(32).text(largeData(kBlocks * 34));
  const auto gguf = GgufFile::parse(sourceOf(file.content()));
  return gguf ? (*gguf)->read("x") : tl::unexpected<Error>(gguf.error());
}

struct LargeTensor {
  const char* name;
  Result<Tensor> (*read)();
};

class StoppedReading : public testing::TestWithParam<LargeTensor> {};

TEST_P(StoppedReading, EndsWithinTheTensor) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  const auto read = GetParam().read();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::Cancelled) << read.error().message();
}

INSTANTIATE_TEST_SUITE_P(OfEachKind,
                         StoppedReading,
                         testing::Values(LargeTensor{"Unaligned", readUnaligned},
                                         LargeTensor{"Widened", readWidened},
                                         LargeTensor{"Fortran", readFortran},
                                         LargeTensor{"Deflated", readDeflated},
                                         LargeTensor{"Blocks", readBlocks}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(ReadingInPieces, WhatIsCopiedIsTheWhole) {
  const std::string data = largeData();
  const auto unaligned = readUnaligned();
  ASSERT_TRUE(unaligned) << unaligned.error().message();
  EXPECT_EQ(unaligned->file, nullptr) << "a copy";
  EXPECT_TRUE(textOf(unaligned->view.bytes()) == data);
  const auto fortran = readFortran();
  ASSERT_TRUE(fortran) << fortran.error().message();
  const std::size_t rows = kLargeBytes / 8;
  for (std::size_t i = 0; i < 2 * rows; i += 997) {
    const std::size_t place = i % 2 * rows + i / 2;
    EXPECT_EQ(textOf(fortran->view.bytes()).substr(4 * i, 4), data.substr(4 * place, 4)) << i;
  }
}

}  // namespace
}  // namespace ulp::tensors
