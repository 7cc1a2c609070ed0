#include "core/tensors/formats/gguf/gguf.h"

#include <array>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path kData = ULP_SOURCE_DIR "/tests/core/tensors/data";
constexpr std::uint32_t kF32 = 0;
constexpr std::uint32_t kQ40 = 2;
constexpr std::uint32_t kIq4Nl = 20;
constexpr std::uint32_t kUint32 = 4;
constexpr std::uint32_t kString = 8;
constexpr std::uint32_t kArray = 9;

struct Entry {
  std::string name = "x";
  std::vector<std::uint64_t> dimensions = {2};
  std::uint32_t format = kF32;
  std::uint64_t offset = 0;
};

Bytes header(std::uint64_t tensors, std::uint64_t entries, std::uint32_t version = 3) {
  return Bytes().text("GGUF").number(version).number(tensors).number(entries);
}

void add(Bytes& file, const Entry& entry) {
  file.counted(entry.name).number(static_cast<std::uint32_t>(entry.dimensions.size()));
  for (const std::uint64_t dimension : entry.dimensions) {
    file.number(dimension);
  }
  file.number(entry.format).number(entry.offset);
}

/// A file without metadata and with `data` bytes of data.
std::string fileOf(const std::vector<Entry>& entries, std::size_t data) {
  Bytes file = header(entries.size(), 0);
  for (const Entry& entry : entries) {
    add(file, entry);
  }
  file.padTo(32).text(std::string(data, '\x01'));
  return file.content();
}

/// Metadata of every kind and one tensor that ends with the file.
std::string validFile() {
  Bytes file = header(1, 4);
  file.counted("general.alignment").number(kUint32).number<std::uint32_t>(8);
  file.counted("name").number(kString).counted("ab");
  file.counted("list").number(kArray).number(kString).number<std::uint64_t>(2).counted("x").counted(
      "");
  file.counted("nested").number(kArray).number(kArray).number<std::uint64_t>(1);
  file.number(kUint32).number<std::uint64_t>(1).number<std::uint32_t>(9);
  add(file, {});
  return file.padTo(8).number(1.5F).number(-2.0F).content();
}

Result<std::shared_ptr<const GgufFile>> parse(const std::string& content) {
  return GgufFile::parse(sourceOf(content));
}

TEST(GgufFile, ReadsMetadataOfEveryKind) {
  const auto opened = GgufFile::open(kData / "formats.gguf");
  ASSERT_TRUE(opened) << opened.error().message();
  const GgufFile& file = **opened;
  EXPECT_EQ(file.version(), 3U);
  EXPECT_EQ(file.text("general.architecture").value(), "llama");
  EXPECT_EQ(file.integer("llama.block_count").value(), 2);
  EXPECT_EQ(file.integer("test.negative").value(), -5);
  EXPECT_EQ(file.real("llama.rope.freq_base").value(), 10000.0);
  EXPECT_EQ(file.real("llama.block_count").value(), 2.0);
  EXPECT_TRUE(file.flag("tokenizer.ggml.add_bos_token").value());
  EXPECT_THAT(file.texts("tokenizer.ggml.tokens").value(), ElementsAre("<s>", "", "größe"));
  EXPECT_THAT(file.reals("tokenizer.ggml.scores").value(), ElementsAre(0.5, -1.0));
  EXPECT_THAT(file.integers("tokenizer.ggml.token_type").value(), ElementsAre(1, -3, 2));
}

TEST(GgufFile, NamesMissingAndMistypedMetadata) {
  const auto file = GgufFile::open(kData / "formats.gguf").value();
  EXPECT_EQ(file->find("absent"), nullptr);
  EXPECT_EQ(file->integer("absent").error().code(), ErrorCode::NotFound);
  EXPECT_EQ(file->text("llama.block_count").error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(messageOf(file->integer("llama.rope.freq_base")),
              HasSubstr("metadata 'llama.rope.freq_base': is not an integer"));
  EXPECT_FALSE(file->flag("llama.block_count"));
  EXPECT_FALSE(file->real("general.architecture"));
  EXPECT_FALSE(file->texts("tokenizer.ggml.scores"));
  EXPECT_FALSE(file->reals("tokenizer.ggml.tokens"));
  EXPECT_FALSE(file->integers("tokenizer.ggml.scores"));
}

/// What the gguf package decodes lies beside the file (make_gguf.py).
TEST(GgufFile, DecodesEveryFormatBitForBit) {
  const auto file = GgufFile::open(kData / "formats.gguf").value();
  const auto expected = openSafetensors(kData / "formats.safetensors").value();
  ASSERT_EQ(file->tensors().size(), 18U);
  for (const TensorInfo& info : file->tensors()) {
    const auto tensor = file->read(info.name);
    const auto wanted = expected->read(info.name);
    ASSERT_TRUE(tensor && wanted) << info.name;
    EXPECT_EQ(info.storedAs, info.name);
    EXPECT_EQ(tensor->view.shape, wanted->view.shape) << info.name;
    const auto got = tensor->view.bytes();
    const auto want = wanted->view.bytes();
    EXPECT_TRUE(std::equal(got.begin(), got.end(), want.begin(), want.end())) << info.name;
  }
}

TEST(GgufFile, TurnsDimensionsIntoRowMajorShapes) {
  const auto file = parse(fileOf({{"x", {4, 3, 2}, kF32, 0}}, 96));
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_THAT((*file)->tensors()[0].shape, ElementsAre(2, 3, 4));
}

TEST(GgufFile, ShowsPlainTensorsWhereTheyLie) {
  const auto file = GgufFile::open(kData / "formats.gguf").value();
  for (const char* name : {"F32", "F16", "BF16", "I64"}) {
    const auto tensor = file->read(name);
    EXPECT_EQ(tensor->view.data, file->read(name)->view.data) << name;
    ASSERT_NE(tensor->file, nullptr) << name << ": its elements are in memory";
    const auto mapped = tensor->file->bytes();
    const auto* data = static_cast<const std::byte*>(tensor->view.data);
    EXPECT_TRUE(data >= mapped.data() && data < mapped.data() + mapped.size()) << name;
  }
}

TEST(GgufFile, DecodesLargeTensorsWithAllThreads) {
  constexpr std::uint64_t kBlocks = 40000;
  Bytes content = header(1, 0);
  add(content, {"x", {32, kBlocks}, kQ40, 0});
  content.padTo(32);
  for (std::uint64_t i = 0; i < kBlocks; ++i) {
    content.number<std::uint16_t>(0x3C00).text(std::string(16, static_cast<char>(i % 16 * 17)));
  }
  const auto tensor = parse(content.content()).value()->read("x").value();
  const auto elements = elementsOf<float>(tensor);
  ASSERT_EQ(elements.size(), 32 * kBlocks);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    ASSERT_EQ(elements[i], static_cast<float>(i / 32 % 16) - 8.0F) << i;
  }
}

TEST(GgufFile, ReadsVersion2) {
  Bytes content = header(1, 0, 2);
  add(content, {});
  const auto file = parse(content.padTo(32).number(1.0F).number(2.0F).content());
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_THAT(elementsOf<float>((*file)->read("x").value()), ElementsAre(1, 2));
}

TEST(GgufFile, RefusesOtherVersionsAndByteOrders) {
  for (const std::uint32_t version : {0U, 1U, 4U, 0x03000000U}) {
    const auto file = parse(header(0, 0, version).content());
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code(), ErrorCode::Unsupported) << version;
  }
  EXPECT_THAT(messageOf(parse(header(0, 0, 0x03000000U).content())), HasSubstr("big-endian"));
}

TEST(GgufFile, RefusesEveryTruncation) {
  const std::string content = validFile();
  const auto file = parse(content).value();
  EXPECT_THAT(elementsOf<float>(file->read("x").value()), ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(file->texts("list").value(), ElementsAre("x", ""));
  EXPECT_FALSE(file->integers("nested"));
  expectPrefixesCorrupt(content, GgufFile::parse);
}

TEST(GgufFile, RefusesWhatIsChangedWhileItIsParsed) {
  expectChangedRefused(validFile(), GgufFile::parse);
}

TEST(GgufFile, RefusesCountsThatTheFileCannotHold) {
  for (const std::uint64_t count : {std::uint64_t{2}, std::uint64_t{1} << 40U, ~std::uint64_t{0}}) {
    EXPECT_THAT(messageOf(parse(header(count, 0).content())), HasSubstr("do not fit"));
    EXPECT_THAT(messageOf(parse(header(0, count).content())), HasSubstr("do not fit"));
    Bytes list = header(0, 1);
    list.counted("k").number(kArray).number(kUint32).number(count);
    EXPECT_THAT(messageOf(parse(list.content())), HasSubstr("list elements do not fit"));
  }
}

TEST(GgufFile, RefusesTextsBeyondTheFile) {
  Bytes content = header(0, 1);
  content.number(~std::uint64_t{0}).text(std::string(64, 'x'));
  EXPECT_THAT(messageOf(parse(content.content())), HasSubstr("byte 32: metadata key of"));
}

TEST(GgufFile, RefusesMetadataThatContradictsTheFormat) {
  const auto parseEntry = [](const std::function<void(Bytes&)>& write) {
    Bytes content = header(0, 1);
    write(content);
    return messageOf(parse(content.content()));
  };
  EXPECT_THAT(parseEntry([](Bytes& b) { b.counted("k").number<std::uint32_t>(13).number(0ULL); }),
              HasSubstr("unknown value type 13"));
  EXPECT_THAT(parseEntry([](Bytes& b) { b.counted("\xFF").number(kUint32).number(1U); }),
              HasSubstr("is not UTF-8"));
  EXPECT_THAT(
      parseEntry([](Bytes& b) { b.counted(std::string(70000, 'k')).number(kUint32).number(1U); }),
      HasSubstr("longer than 65535"));
  for (const std::uint32_t alignment : {0U, 3U, 48U}) {
    EXPECT_THAT(parseEntry([alignment](Bytes& b) {
                  b.counted("general.alignment").number(kUint32).number(alignment);
                }),
                HasSubstr("general.alignment is not a power of two"));
  }
  EXPECT_THAT(
      parseEntry([](Bytes& b) { b.counted("general.alignment").number(kString).counted("32"); }),
      HasSubstr("general.alignment"));
  EXPECT_THAT(parseEntry([](Bytes& b) {
                b.counted("k");
                for (int i = 0; i < 10; ++i) {
                  b.number(kArray).number(kArray).number<std::uint64_t>(1);
                }
              }),
              HasSubstr("file: byte"));
}

TEST(GgufFile, RefusesDeeplyNestedLists) {
  Bytes content = header(0, 1);
  content.counted("k").number(kArray);
  for (int i = 0; i < 1000; ++i) {
    content.number(kArray).number<std::uint64_t>(1);
  }
  EXPECT_THAT(messageOf(parse(content.content())), HasSubstr("nested more than 4 deep"));
}

TEST(GgufFile, RefusesKeysAndNamesThatOccurTwice) {
  Bytes content = header(0, 2);
  content.counted("k").number(kUint32).number(1U).counted("k").number(kUint32).number(2U);
  EXPECT_THAT(messageOf(parse(content.content())), HasSubstr("metadata key 'k' occurs twice"));
  EXPECT_THAT(messageOf(parse(fileOf({{"x", {2}, kF32, 0}, {"x", {2}, kF32, 32}}, 64))),
              HasSubstr("tensor name 'x' occurs twice"));
}

TEST(GgufFile, RefusesTensorsThatDoNotLieInTheFile) {
  const std::uint64_t huge = std::uint64_t{1} << 62U;
  const std::array<std::pair<Entry, const char*>, 10> cases{{
      {{"x", {17}, kF32, 0}, "reaches beyond the end of the file"},
      {{"x", {2}, kF32, 96}, "reaches beyond the end of the file"},
      {{"x", {2}, kF32, ~std::uint64_t{31}}, "reaches beyond the end of the file"},
      {{"x", {huge}, kF32, 0}, "reaches beyond the end of the file"},
      {{"x", {huge, huge}, kF32, 0}, "exceeds 63 bits"},
      {{"x", {~std::uint64_t{0}}, kF32, 0}, "exceeds 63 bits"},
      {{"x", {2}, kF32, 4}, "no multiple of the alignment 32"},
      {{"x", {33}, kQ40, 0}, "no multiple of the 32 in a block of Q4_0"},
      {{"x", {}, kQ40, 0}, "no multiple of the 32 in a block of Q4_0"},
      {{"x", {1, 1, 1, 1, 1}, kF32, 0}, "has 5 dimensions"},
  }};
  for (const auto& [entry, message] : cases) {
    const auto file = parse(fileOf({entry}, 64));
    ASSERT_FALSE(file) << message;
    EXPECT_EQ(file.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(file.error().message(), HasSubstr("file: "));
    EXPECT_THAT(file.error().message(), HasSubstr("tensor 'x'"));
    EXPECT_THAT(file.error().message(), HasSubstr(message));
  }
}

TEST(GgufFile, RefusesOverlappingTensors) {
  EXPECT_THAT(messageOf(parse(fileOf({{"a", {16}, kF32, 0}, {"b", {2}, kF32, 32}}, 64))),
              HasSubstr("tensor 'b': overlaps tensor 'a'"));
}

TEST(GgufFile, ListsFormatsThatItDoesNotDecode) {
  const auto file = parse(fileOf({{"x", {32}, kIq4Nl, 0}}, 32));
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ((*file)->tensors()[0].storedAs, "IQ4_NL");
  const auto tensor = (*file)->read("x");
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(tensor.error().message(), HasSubstr("tensor 'x': blocks of format IQ4_NL"));
}

TEST(GgufFile, SaysThatAFormatIsUnknown) {
  const auto file = parse(fileOf({{"x", {32}, 77, 0}}, 32));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(file.error().message(), HasSubstr("tensor 'x': unknown format number 77"));
}

TEST(GgufFile, ReadsEmptyTensorsAndScalars) {
  const auto file = parse(fileOf({{"s", {}, kF32, 0}, {"e", {0}, kF32, 32}}, 4));
  ASSERT_FALSE(file);
  const auto padded = parse(fileOf({{"s", {}, kF32, 0}, {"e", {0, 4}, kF32, 32}}, 32));
  ASSERT_TRUE(padded) << padded.error().message();
  EXPECT_EQ((*padded)->read("s")->view.count(), 1U);
  EXPECT_EQ((*padded)->read("e")->view.count(), 0U);
}

TEST(GgufFile, SaysThatAFileIsNoGguf) {
  EXPECT_THAT(messageOf(parse("PK\x03\x04 something else")), HasSubstr("is this a GGUF file?"));
  EXPECT_EQ(GgufFile::open("/nowhere.gguf").error().code(), ErrorCode::NotFound);
}

TEST(GgufFile, CountsAreBelievedWhereTheSmallestEntriesFit) {
  // A key of no characters, its type and one byte; a name of no characters, no dimensions.
  const auto entry = [](std::size_t missing) {
    const std::string all = Bytes().counted("").number(0U).number<std::uint8_t>(7).content();
    return parse(header(0, 1).content() + all.substr(0, all.size() - missing));
  };
  ASSERT_TRUE(entry(0));
  EXPECT_EQ(entry(0).value()->integer("").value(), 7);
  EXPECT_THAT(messageOf(entry(1)), HasSubstr("1 metadata entries do not fit"));
  const auto tensor = [](std::size_t missing) {
    const std::string all =
        Bytes().counted("").number(0U).number(kF32).number<std::uint64_t>(0).content();
    return messageOf(parse(header(1, 0).content() + all.substr(0, all.size() - missing)));
  };
  EXPECT_THAT(tensor(0), HasSubstr("reaches beyond the end of the file: 1 blocks of 4 bytes"));
  EXPECT_THAT(tensor(1), HasSubstr("1 tensors do not fit"));
  const auto list = [](std::uint64_t count, std::size_t bytes) {
    Bytes content = header(0, 1);
    content.counted("k").number(kArray).number(kString).number(count);
    return messageOf(parse(content.text(std::string(bytes, '\xFF')).content()));
  };
  EXPECT_THAT(list(2, 15), HasSubstr("2 list elements do not fit"));
  EXPECT_THAT(list(2, 16), HasSubstr("text in a list"));
}

TEST(GgufFile, LimitsAreReachedAndNotExceeded) {
  const auto key = [](std::size_t size) {
    Bytes content = header(0, 1);
    content.counted(std::string(size, 'k')).number(kUint32).number(1U);
    return parse(content.content());
  };
  EXPECT_TRUE(key(65535));
  EXPECT_THAT(messageOf(key(65536)), HasSubstr("longer than 65535"));
  const auto nested = [](int lists) {
    Bytes content = header(0, 1);
    content.counted("k").number(kArray);
    for (int i = 1; i < lists; ++i) {
      content.number(kArray).number<std::uint64_t>(1);
    }
    return parse(content.number(kUint32).number<std::uint64_t>(1).number(1U).content());
  };
  EXPECT_TRUE(nested(4));
  EXPECT_THAT(messageOf(nested(5)), HasSubstr("nested more than 4 deep"));
  EXPECT_TRUE(parse(fileOf({{"x", {1, 2, 3, 4}, kF32, 0}}, 96)));
  EXPECT_TRUE(parse(fileOf({{"x", {16}, kF32, 0}}, 64))) << "to the last byte";
  EXPECT_TRUE(parse(fileOf({{"a", {16}, kF32, 0}, {"b", {2}, kF32, 64}}, 72)));
}

TEST(GgufFile, IntegersHave63Bits) {
  constexpr std::uint32_t kUint64 = 10;
  const auto number = [](std::uint64_t value) {
    Bytes content = header(0, 1);
    content.counted("k").number(kUint64).number(value);
    return parse(content.content()).value();
  };
  const std::uint64_t largest = (std::uint64_t{1} << 63U) - 1;
  EXPECT_EQ(number(largest)->integer("k").value(), static_cast<std::int64_t>(largest));
  EXPECT_THAT(messageOf(number(largest + 1)->integer("k")), HasSubstr("an integer of 63 bits"));
  EXPECT_FALSE(number(largest + 1)->real("k"));
}

TEST(GgufFile, AnEmptyTensorOverlapsNothing) {
  const Entry empty{"e", {0}, kF32, 0};
  const Entry full{"x", {2}, kF32, 0};
  EXPECT_TRUE(parse(fileOf({empty, full}, 8)));
  EXPECT_TRUE(parse(fileOf({full, empty}, 8)));
  EXPECT_FALSE(parse(fileOf({full, {"y", {2}, kF32, 0}}, 8)));
}

}  // namespace
}  // namespace ulp::tensors
