#include "core/tensors/formats/safetensors/safetensors.h"

#include <array>
#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string fileWith(std::string_view header, std::string_view data) {
  return Bytes().number<std::uint64_t>(header.size()).text(header).text(data).content();
}

/// A file with one tensor `x` of 8 bytes, described by `fields`.
Result<TensorArchivePtr> parseFields(std::string_view fields) {
  return parseSafetensors(sourceOf(fileWith("{\"x\":{" + std::string(fields) + "}}", "12345678")));
}

const std::string kValid = fileWith(
    R"({"__metadata__":{"format":"pt"},"b":{"dtype":"I16","shape":[2],"data_offsets":[8,12]},)"
    R"("a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}       )",
    Bytes().number(1.5F).number(-2.0F).number<std::int16_t>(7).number<std::int16_t>(-8).content());

TEST(Safetensors, ReadsTensorsInTheOrderOfTheData) {
  const auto archive = parseSafetensors(sourceOf(kValid));
  ASSERT_TRUE(archive) << archive.error().message();
  ASSERT_EQ((*archive)->tensors().size(), 2U);
  const TensorInfo& first = (*archive)->tensors()[0];
  EXPECT_EQ(first.name, "a");
  EXPECT_EQ(first.storedAs, "F32");
  EXPECT_EQ(first.dtype, DType::Float32);
  EXPECT_THAT(first.shape, ElementsAre(1, 2));
  EXPECT_THAT(elementsOf<float>((*archive)->read("a").value()), ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(elementsOf<std::int16_t>((*archive)->read("b").value()), ElementsAre(7, -8));
}

TEST(Safetensors, RefusesEveryTruncation) {
  expectPrefixesCorrupt(kValid, parseSafetensors);
}

TEST(Safetensors, RefusesWhatIsChangedWhileItIsParsed) {
  expectChangedRefused(kValid, parseSafetensors);
}

TEST(Safetensors, RefusesBytesBehindTheData) {
  EXPECT_THAT(messageOf(parseSafetensors(sourceOf(kValid + "x"))),
              HasSubstr("describes 12 of the 13 bytes"));
}

TEST(Safetensors, RefusesASizePrefixBeyondTheFile) {
  for (const std::uint64_t size :
       {std::uint64_t{3}, std::uint64_t{100'000'001}, ~std::uint64_t{0}}) {
    const std::string file = Bytes().number(size).text("{}").content();
    EXPECT_THAT(messageOf(parseSafetensors(sourceOf(file))), HasSubstr("exceeds the file"));
  }
}

TEST(Safetensors, RefusesHeadersThatAreNoObject) {
  for (const char* header : {"[]",
                             "\"x\"",
                             " {}",
                             "{\"x\"",
                             "{}}",
                             R"({"x":1})",
                             R"({"x":[]})",
                             R"({"x":null})",
                             "{\"\xFF\":{}}",
                             R"({"__metadata__":{"a":1}})",
                             R"({"__metadata__":[]})"}) {
    const auto archive = parseSafetensors(sourceOf(fileWith(header, "")));
    ASSERT_FALSE(archive) << header;
    EXPECT_EQ(archive.error().code(), ErrorCode::CorruptData) << header;
  }
}

TEST(Safetensors, RefusesFieldsThatContradictTheFormat) {
  const std::array<std::pair<const char*, const char*>, 15> cases{{
      {R"("dtype":"F32","shape":[3],"data_offsets":[0,8])", "do not give the 8 bytes"},
      {R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])", "negative dimension"},
      {R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])", "fraction"},
      {R"("dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8])", "beyond 63 bits"},
      {R"("dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8])", "do not give"},
      {R"("dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,8])", "do not give"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[8,0])", "do not lie within"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0,9])", "do not lie within"},
      {R"("dtype":"F32","shape":[1],"data_offsets":[4,8])", "leaves a gap"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0,8,9])", "more than two"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0])", "missing or incomplete"},
      {R"("dtype":"F32","shape":[2])", "missing or incomplete"},
      {R"("dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8])", "given twice"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0,8],"colour":1)", "unknown field 'colour'"},
      {R"("dtype":"F33","shape":[2],"data_offsets":[0,8])", "unknown element type 'F33'"},
  }};
  for (const auto& [fields, message] : cases) {
    const auto archive = parseFields(fields);
    ASSERT_FALSE(archive) << fields;
    EXPECT_EQ(archive.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(archive.error().message(), HasSubstr("file: tensor 'x': ")) << fields;
    EXPECT_THAT(archive.error().message(), HasSubstr(message)) << fields;
  }
}

TEST(Safetensors, RefusesOverlappingTensors) {
  const std::string file = fileWith(
      R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
      "123456");
  EXPECT_THAT(messageOf(parseSafetensors(sourceOf(file))), HasSubstr("tensor 'b': overlaps"));
}

TEST(Safetensors, RefusesANameThatOccursTwice) {
  const std::string file = fileWith(
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
      "12");
  EXPECT_THAT(messageOf(parseSafetensors(sourceOf(file))), HasSubstr("tensor 'a': named twice"));
}

TEST(Safetensors, ATensorOfATypeThatIsNotReadTakesNoOtherWithIt) {
  const std::string file = fileWith(
      R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"x":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[2,5]},"z":{"dtype":"U8","shape":[1],"data_offsets":[5,6]}})",
      "123456");
  const auto archive = parseSafetensors(sourceOf(file));
  ASSERT_TRUE(archive) << archive.error().message();
  EXPECT_EQ((*archive)->tensors().size(), 3U);
  EXPECT_THAT(elementsOf<std::uint8_t>((*archive)->read("z").value()), ElementsAre('6'));
  const auto refused = (*archive)->read("x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(refused.error().message(),
              HasSubstr("tensor 'x': elements of type 'F6_E2M3' are not read"));
}

TEST(Safetensors, ComplexNumbersAreTheirRealAndImaginaryParts) {
  const auto archive = parseSafetensors(
      sourceOf(fileWith(R"({"x":{"dtype":"C64","shape":[2],"data_offsets":[0,16]}})",
                        Bytes().number(1.5F).number(-2.F).number(0.25F).number(4.F).content())));
  ASSERT_TRUE(archive) << archive.error().message();
  const auto tensor = (*archive)->read("x");
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(tensor->view.shape, ElementsAre(2, 2));
  EXPECT_EQ(tensor->view.dtype, DType::Float32);
  EXPECT_THAT(elementsOf<float>(*tensor), ElementsAre(1.5F, -2.F, 0.25F, 4.F));
  EXPECT_EQ((*archive)->tensors()[0].storedAs, "C64");
  EXPECT_THAT(messageOf(parseFields(R"("dtype":"C64","shape":[2],"data_offsets":[0,8])")),
              HasSubstr("do not give the 8 bytes"));
}

TEST(Safetensors, ReadsEmptyTensorsAndScalars) {
  const std::string file = fileWith(
      R"({"e":{"dtype":"F32","shape":[0,4],"data_offsets":[0,0]},"s":{"dtype":"F64","shape":[],"data_offsets":[0,8]}})",
      Bytes().number(0.25).content());
  const auto archive = parseSafetensors(sourceOf(file));
  ASSERT_TRUE(archive) << archive.error().message();
  EXPECT_EQ((*archive)->read("e").value().view.count(), 0U);
  EXPECT_THAT(elementsOf<double>((*archive)->read("s").value()), ElementsAre(0.25));
}

TEST(Safetensors, WidensUnsignedIntegers) {
  const std::string file = fileWith(
      R"({"h":{"dtype":"U16","shape":[1],"data_offsets":[12,14]},"w":{"dtype":"U32","shape":[1],"data_offsets":[8,12]},)"
      R"("l":{"dtype":"U64","shape":[1],"data_offsets":[0,8]},"s":{"dtype":"F8_E8M0","shape":[3],"data_offsets":[14,17]}})",
      Bytes()
          .number<std::uint64_t>(5'000'000'000)
          .number<std::uint32_t>(4'000'000'000)
          .number<std::uint16_t>(65535)
          .text(std::string("\x7F\x00\xFE", 3))
          .content());
  const auto archive = parseSafetensors(sourceOf(file));
  ASSERT_TRUE(archive) << archive.error().message();
  EXPECT_THAT(elementsOf<std::int32_t>((*archive)->read("h").value()), ElementsAre(65535));
  EXPECT_THAT(elementsOf<std::int64_t>((*archive)->read("w").value()), ElementsAre(4'000'000'000));
  EXPECT_THAT(elementsOf<std::int64_t>((*archive)->read("l").value()), ElementsAre(5'000'000'000));
  EXPECT_THAT(elementsOf<float>((*archive)->read("s").value()),
              ElementsAre(1.0F, 0x1p-127F, 0x1p127F));
}

TEST(Safetensors, RefusesUnsignedIntegersBeyondInt64) {
  const std::string file = fileWith(R"({"l":{"dtype":"U64","shape":[1],"data_offsets":[0,8]}})",
                                    Bytes().number(~std::uint64_t{0}).content());
  const auto tensor = parseSafetensors(sourceOf(file)).value()->read("l");
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(tensor.error().message(), HasSubstr("file: tensor 'l'"));
}

TEST(Safetensors, MapsAFileWithoutCopying) {
  const test::TempDir folder;
  const auto path = folder.write("x.safetensors", kValid);
  const auto archive = openSafetensors(path);
  ASSERT_TRUE(archive);
  EXPECT_EQ((*archive)->path(), path);
  const auto first = (*archive)->read("b");
  const auto second = (*archive)->read("b");
  EXPECT_EQ(first->view.data, second->view.data);
  ASSERT_NE(first->file, nullptr) << "the elements are in memory";
  EXPECT_EQ(first->file->path(), path);
  EXPECT_EQ(first->view.data, first->file->bytes().data() + kValid.size() - 4);
}

TEST(Safetensors, KeepsTensorsAliveAfterTheArchive) {
  const test::TempDir folder;
  Tensor tensor;
  {
    const auto archive = openSafetensors(folder.write("x.safetensors", kValid));
    tensor = (*archive)->read("a").value();
  }
  EXPECT_THAT(elementsOf<float>(tensor), ElementsAre(1.5F, -2.0F));
}

TEST(SafetensorsWriter, WritesWhatTheReaderReads) {
  const test::TempDir folder;
  const std::array<std::uint16_t, 3> brains{0x3F80, 0xC000, 0x7FC0};
  const std::array<double, 2> doubles{1.0, -0.5};
  const bool flag = true;
  const std::vector<NamedTensor> tensors{{"flag", {&flag, DType::Bool, {}}},
                                         {"brains", {brains.data(), DType::BFloat16, {3, 1}}},
                                         {"doubles", {doubles.data(), DType::Float64, {2}}},
                                         {"nothing", {nullptr, DType::Float32, {0, 2}}}};
  const auto path = folder / "out.safetensors";
  ASSERT_TRUE(writeSafetensors(path, tensors));
  const auto archive = openSafetensors(path);
  ASSERT_TRUE(archive) << archive.error().message();
  EXPECT_THAT(elementsOf<std::uint16_t>((*archive)->read("brains").value()),
              ElementsAre(0x3F80, 0xC000, 0x7FC0));
  EXPECT_THAT(elementsOf<double>((*archive)->read("doubles").value()), ElementsAre(1.0, -0.5));
  EXPECT_THAT(elementsOf<bool>((*archive)->read("flag").value()), ElementsAre(true));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.safetensors.part"));
}

TEST(SafetensorsWriter, AlignsEveryTensor) {
  const test::TempDir folder;
  const std::array<std::int8_t, 3> bytes{1, 2, 3};
  const std::array<double, 1> doubles{2.5};
  const std::vector<NamedTensor> tensors{{"a", {bytes.data(), DType::Int8, {3}}},
                                         {"b", {doubles.data(), DType::Float64, {1}}}};
  ASSERT_TRUE(writeSafetensors(folder / "x.safetensors", tensors));
  const auto tensor = openSafetensors(folder / "x.safetensors").value()->read("b");
  EXPECT_EQ(std::bit_cast<std::uintptr_t>(tensor->view.data) % alignof(double), 0U);
}

TEST(SafetensorsWriter, RefusesNamesThatTheFormatDoesNotAllow) {
  const test::TempDir folder;
  const float one = 1;
  const numerics::TensorView view{&one, DType::Float32, {}};
  for (const char* name : {"__metadata__", "\xFF", "twice"}) {
    const std::vector<NamedTensor> tensors{{"twice", view}, {name, view}};
    const auto written = writeSafetensors(folder / "x.safetensors", tensors);
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().code(), ErrorCode::InvalidArgument);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "x.safetensors"));
}

TEST(SafetensorsWriter, RefusesMetadataThatIsNoUtf8) {
  const test::TempDir folder;
  const auto written = writeSafetensors(folder / "x.safetensors", {}, {{"made_from", "\xFF"}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(written.error().message(), HasSubstr("made_from"));
  EXPECT_FALSE(std::filesystem::exists(folder / "x.safetensors"));
}

TEST(SafetensorsWriter, NamesTheFolderThatDoesNotExist) {
  const auto written = writeSafetensors("/nowhere/x.safetensors", {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::Io);
  EXPECT_THAT(written.error().message(), HasSubstr("/nowhere/x.safetensors: cannot write"));
}

TEST(Safetensors, ReadsTheFixtures) {
  const auto archive = openSafetensors(test::fixture("families/llama/model.safetensors"));
  ASSERT_TRUE(archive) << archive.error().message();
  for (const TensorInfo& info : (*archive)->tensors()) {
    EXPECT_TRUE((*archive)->read(info.name)) << info.name;
  }
}

}  // namespace
}  // namespace ulp::tensors
