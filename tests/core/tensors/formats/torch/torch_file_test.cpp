#include "core/tensors/formats/torch/torch_file.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/sanitizers.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string oneTensor() {
  return archiveOf(PickleBytes().tensor("0", 6, 0, {2, 3}, {3, 1}).end(),
                   numbers({1, 2, 3, 4, 5, 6}));
}

Result<std::shared_ptr<const TorchFile>> parse(const std::string& content) {
  return TorchFile::parse(sourceOf(content));
}

TEST(TorchFileTest, OneTensorHasNoNameAndLiesInTheFile) {
  const ByteSource source = sourceOf(oneTensor());
  const auto file = TorchFile::parse(source);
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_EQ((*file)->tensors().size(), 1U);
  EXPECT_EQ((*file)->tensors()[0].name, "");
  EXPECT_EQ((*file)->tensors()[0].storedAs, "float32");
  EXPECT_EQ((*file)->root().kind, TorchKind::Tensor);
  const auto tensor = (*file)->read("");
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(tensor->view.shape, ElementsAre(2, 3));
  EXPECT_THAT(elementsOf<float>(*tensor), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(TorchFileTest, ViewsAreGathered) {
  const std::string storage = numbers({1, 2, 3, 4, 5, 6});
  const auto read = [&](PickleBytes pickle) {
    const auto file = parse(archiveOf(pickle.end(), storage));
    EXPECT_TRUE(file) << file.error().message();
    const auto tensor = (*file)->readAt(0);
    EXPECT_TRUE(tensor) << tensor.error().message();
    return elementsOf<float>(*tensor);
  };
  EXPECT_THAT(read(PickleBytes().tensor("0", 6, 0, {3, 2}, {1, 3})), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(read(PickleBytes().tensor("0", 6, 1, {2, 2}, {3, 1})), ElementsAre(2, 3, 5, 6));
  EXPECT_THAT(read(PickleBytes().tensor("0", 6, 2, {3, 2}, {0, 1})), ElementsAre(3, 4, 3, 4, 3, 4));
  EXPECT_THAT(read(PickleBytes().tensor("0", 6, 5, {}, {})), ElementsAre(6));
  EXPECT_THAT(read(PickleBytes().tensor("0", 6, 4, {2}, {1})), ElementsAre(5, 6));
}

TEST(TorchFileTest, ContainersGiveNamesAndOtherValuesStayReachable) {
  const std::string real("\x40\x04\x00\x00\x00\x00\x00\x00", 8);
  PickleBytes pickle;
  pickle.op("}(").unicode("model.weight").tensor("0", 6, 0, {6}, {1});
  pickle.unicode("steps").op("](}").unicode("logits").tensor("0", 6, 1, {2}, {1}).op("s");
  pickle.op("}").unicode("n").integer(7).op("se").integer(3).op("G").op(real);
  pickle.unicode("text").unicode("größe").unicode("none").op("Nu");
  const auto file = parse(archiveOf(pickle.end(), numbers({1, 2, 3, 4, 5, 6})));
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_EQ((*file)->tensors().size(), 2U);
  EXPECT_EQ((*file)->tensors()[0].name, "model.weight");
  EXPECT_EQ((*file)->tensors()[1].name, "steps.0.logits");
  const TorchValue& root = (*file)->root();
  ASSERT_NE(root.find("steps"), nullptr);
  EXPECT_EQ(root.find("steps")->items[0].find("logits")->tensor, 1U);
  EXPECT_EQ(root.find("steps")->items[1].find("n")->integer, 7);
  EXPECT_EQ(root.find("3")->real, 2.5);
  EXPECT_EQ(root.find("text")->text, "größe");
  EXPECT_EQ(root.find("none")->kind, TorchKind::None);
  EXPECT_EQ(root.find("missing"), nullptr);
}

TEST(TorchFileTest, CodeIsRefusedByNameAndNotRun) {
  PickleBytes pickle;
  pickle.global("posix", "system").unicode("touch /tmp/ulpscope-was-here").op("\x85R");
  const auto file = parse(archiveOf(pickle.end()));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(file.error().message(),
              AllOf(HasSubstr("file: 'archive/data.pkl': byte 2: names 'posix.system'"),
                    HasSubstr("nothing was run"),
                    HasSubstr("torch.save of a dict of tensors")));
  EXPECT_FALSE(std::filesystem::exists("/tmp/ulpscope-was-here"));
  // The newer instruction that takes the name from the stack.
  PickleBytes newer;
  newer.unicode("builtins").unicode("eval").op("\x93.");
  EXPECT_THAT(messageOf(parse(archiveOf(newer.end()))), HasSubstr("names 'builtins.eval'"));
}

TEST(TorchFileTest, TensorsBeyondTheirStorageAreRefused) {
  const std::string six = numbers({1, 2, 3, 4, 5, 6});
  const auto message = [&](PickleBytes pickle) {
    return messageOf(parse(archiveOf(pickle.end(), six)));
  };
  EXPECT_THAT(message(PickleBytes().tensor("0", 6, 0, {7}, {1})),
              HasSubstr("file: tensor '': reaches to element 7 of a storage of 6"));
  EXPECT_THAT(message(PickleBytes().tensor("0", 99, 5, {2}, {1})), HasSubstr("element 7"));
  EXPECT_THAT(message(PickleBytes().tensor("0", 6, 0, {2, 2}, {5, 1})), HasSubstr("element 7"));
  EXPECT_THAT(message(PickleBytes().tensor("0", 6, 0, {-1}, {1})), HasSubstr("impossible"));
  EXPECT_THAT(message(PickleBytes().tensor("0", 6, 0, {2}, {-1})), HasSubstr("impossible"));
  EXPECT_THAT(message(PickleBytes().tensor("0", 6, -1, {2}, {1})), HasSubstr("is missing"));
  EXPECT_THAT(message(PickleBytes().tensor("1", 6, 0, {2}, {1})),
              HasSubstr("its storage 'archive/data/1' is not in the file"));
  EXPECT_THAT(
      message(PickleBytes().tensor("0", 6, 0, {0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF}, {1, 1, 1})),
      HasSubstr("impossible"));
}

TEST(TorchFileTest, AViewThatRepeatsItselfWithoutEndIsRefusedWhenItIsRead) {
  const auto file =
      parse(archiveOf(PickleBytes().tensor("0", 1, 0, {0x7FFFFFF, 8}, {0, 0}).end(), numbers({1})));
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_THAT(messageOf((*file)->readAt(0)), HasSubstr("repeats them too often"));
}

TEST(TorchFileTest, HostilePicklesAreRefused) {
  const auto message = [](const std::string& pickle) {
    return messageOf(parse(archiveOf(pickle)));
  };
  std::string deep = "\x80\x02";
  for (int i = 0; i < 100'000; ++i) {
    deep += "]";
  }
  deep += std::string(99'999, 'a') + ".";
  EXPECT_THAT(message(deep), HasSubstr("nest deeper than 400"));
  // A list that contains itself, and lists that contain the one before twice.
  EXPECT_THAT(message(PickleBytes()
                          .op("]q")
                          .op(std::string(1, '\0'))
                          .op("h")
                          .op(std::string(1, '\0'))
                          .op("a")
                          .end()),
              AnyOf(HasSubstr("without end"), HasSubstr("nest deeper")));
  std::string laughs = "\x80\x02]q" + std::string(1, '\0');
  for (int i = 0; i < 60; ++i) {
    laughs += std::string("](h") + static_cast<char>(i) + "h" + static_cast<char>(i) + "eq" +
              static_cast<char>(i + 1);
  }
  EXPECT_THAT(message(laughs + "."), HasSubstr("without end"));
  EXPECT_THAT(message(PickleBytes().op("r").op("\xff\xff\xff\x7f").end()),
              HasSubstr("where there is none"));
  EXPECT_THAT(message(PickleBytes().op("]r").op("\xff\xff\xff\x7f").end()),
              HasSubstr("under the number"));
  EXPECT_THAT(message(PickleBytes().op("]X").op("\xff\xff\xff\x7f").end()),
              HasSubstr("beyond the end"));
  EXPECT_THAT(message(PickleBytes().op("h\x05").end()), HasSubstr("recalls object 5"));
  EXPECT_THAT(message(PickleBytes().op("t").end()), HasSubstr("mark"));
  EXPECT_THAT(message(PickleBytes().op("K\x01K\x02R").end()), HasSubstr("has no name"));
  EXPECT_THAT(message(PickleBytes().op("i").end()), HasSubstr("instruction 105"));
  EXPECT_THAT(message(""), HasSubstr("beyond the end"));
  EXPECT_THAT(message("\x80\x09."), HasSubstr("protocol 9"));
  EXPECT_THAT(message(PickleBytes().op("}").unicode("\xff").op("Ns").end()),
              HasSubstr("the key '?' is not UTF-8"));
}

TEST(TorchFileTest, APickleIsNotUnpackedThatIsTooLongToBeRead) {
  ZipEntry pickle{"archive/data.pkl", std::string(1'000'000, 'x'), 8};
  pickle.size = 1'000'000'000;
  const auto refused = parse(zipOf({pickle}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(refused.error().message(),
              HasSubstr("a pickle of 1000000000 bytes; at most 67108864 are read"));
}

TEST(TorchFileTest, TensorsOfOneNameAreNumbered) {
  const std::string zero(1, '\0');
  PickleBytes pickle;
  pickle.op("}").unicode("a").tensor("0", 1, 0, {1}, {1}).op("q" + zero + "s");
  constexpr std::size_t kTimes = 30'000;
  for (std::size_t i = 1; i < kTimes; ++i) {
    pickle.unicode(i == 2 ? "a (2)" : "a").op("h" + zero + "s");
  }
  const double before = test::processSeconds();
  const auto file = parse(archiveOf(pickle.end(), numbers({1})));
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_EQ((*file)->tensors().size(), kTimes);
  EXPECT_EQ((*file)->tensors()[1].name, "a (2)");
  EXPECT_EQ((*file)->tensors()[2].name, "a (2) (2)");
  EXPECT_EQ((*file)->tensors()[3].name, "a (3)");
  EXPECT_EQ((*file)->tensors().back().name, "a (29999)");
  // A tenth of what trying every number for every tensor takes.
  EXPECT_LT(test::processSeconds() - before, 2 * test::sanitizerFactor());
}

TEST(TorchFileTest, OtherFilesAreRefusedWithTheRemedy) {
  EXPECT_THAT(messageOf(parse("")), HasSubstr("file: not a file of torch.save"));
  EXPECT_THAT(messageOf(parse("hello")), HasSubstr("no zip archive"));
  EXPECT_THAT(messageOf(parse("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.")),
              HasSubstr("save it again with torch 1.6 or later"));
  EXPECT_THAT(messageOf(parse(zipOf({{"a.npy", ""}}))), HasSubstr("holds no data.pkl"));
  EXPECT_THAT(messageOf(parse(zipOf({{"archive/data.pkl", PickleBytes().op("N").end()},
                                     {"archive/byteorder", "big"}}))),
              HasSubstr("big-endian"));
}

TEST(TorchFileTest, EveryPrefixIsRefused) {
  expectPrefixesCorrupt(oneTensor(), TorchFile::parse);
}

/// Reads all tensors of a file that is accepted.
void expectReadOrRefused(const std::string& content) {
  const auto file = parse(content);
  if (!file) {
    EXPECT_THAT(file.error().message(), HasSubstr("file: "));
    return;
  }
  for (std::size_t i = 0; i < (*file)->tensors().size(); ++i) {
    if (const auto tensor = (*file)->readAt(i)) {
      EXPECT_EQ(tensor->view.count(), *checkedCount((*file)->tensors()[i].shape));
    }
  }
}

TEST(TorchFileTest, EveryChangedByteIsRefusedOrHarmless) {
  const std::string archive = oneTensor();
  for (std::size_t i = 0; i < archive.size(); ++i) {
    for (const int bits : {1, 4, 128, 255}) {
      std::string changed = archive;
      changed[i] = static_cast<char>(changed[i] ^ bits);
      expectReadOrRefused(changed);
    }
  }
}

TEST(TorchFileTest, TheOneTensorOfAFileIsReadAtOnce) {
  const test::TempDir dir;
  const auto tensor = readTorchTensor(dir.write("one.pt", oneTensor()));
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(elementsOf<float>(*tensor), ElementsAre(1, 2, 3, 4, 5, 6));
  const auto none = readTorchTensor(dir.write("none.pt", archiveOf(PickleBytes().op("N").end())));
  EXPECT_THAT(messageOf(none), HasSubstr("none.pt: holds 0 tensors where one was expected"));
}

TEST(TorchFileTest, EveryFixtureIsRead) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::fixture(""))) {
    if (entry.path().extension() != ".pt" && entry.path().extension() != ".pth") {
      continue;
    }
    const auto file = TorchFile::open(entry.path());
    ASSERT_TRUE(file) << file.error().message();
    for (std::size_t i = 0; i < (*file)->tensors().size(); ++i) {
      ASSERT_TRUE((*file)->readAt(i)) << entry.path();
    }
    ++files;
  }
  EXPECT_GT(files, 5000U);
}

/// The only value of a pickle: "int 3", "list [int 1, …]".
std::string shownValue(const TorchValue& value) {
  const auto all = [&](const char* name) {
    std::string text = std::string(name) + " [";
    for (const TorchValue& item : value.items) {
      text += (text.ends_with('[') ? "" : ", ") +
              (value.kind == TorchKind::Dict ? std::string(item.key) + ": " : "") +
              shownValue(item);
    }
    return text + "]";
  };
  switch (value.kind) {
    case TorchKind::None:
      return "none";
    case TorchKind::Bool:
      return value.integer != 0 ? "true" : "false";
    case TorchKind::Integer:
      return std::to_string(value.integer);
    case TorchKind::Real:
      return "real " + std::to_string(value.real);
    case TorchKind::Text:
      return "'" + std::string(value.text) + "'";
    case TorchKind::Bytes:
      return "bytes " + std::string(value.text);
    case TorchKind::List:
      return all("list");
    case TorchKind::Dict:
      return all("dict");
    default:
      return "other";
  }
}

std::string valueOf(PickleBytes& pickle) {
  const auto file = parse(archiveOf(pickle.end()));
  return file ? shownValue((*file)->root()) : file.error().message();
}

std::string bytesOfText(std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) {
    text += static_cast<char>(byte);
  }
  return text;
}

TEST(TorchFileTest, NumbersOfEveryWidthAreRead) {
  const auto number = [](std::initializer_list<int> code) {
    PickleBytes pickle;
    pickle.op(bytesOfText(code));
    return valueOf(pickle);
  };
  EXPECT_EQ(number({'K', 0xFF}), "255");
  EXPECT_EQ(number({'M', 0xFF, 0xFF}), "65535");
  EXPECT_EQ(number({'J', 0xFE, 0xFF, 0xFF, 0xFF}), "-2");
  EXPECT_EQ(number({0x8A, 0}), "0");
  EXPECT_EQ(number({0x8A, 1, 0xFF}), "-1");
  EXPECT_EQ(number({0x8A, 2, 0xFF, 0x00}), "255");
  EXPECT_EQ(number({0x8A, 8, 0, 0, 0, 0, 0, 0, 0, 0x80}), "-9223372036854775808");
  EXPECT_EQ(number({0x8A, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1}), "real 18446744073709551616.000000");
  EXPECT_EQ(number({0x8A, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF}), "real -18446744073709551616.000000");
  EXPECT_EQ(number({0x8B, 1, 0, 0, 0, 7}), "7");
  EXPECT_EQ(number({'G', 0x3F, 0xF8, 0, 0, 0, 0, 0, 0}), "real 1.500000");
  EXPECT_EQ(number({0x88}), "true");
  EXPECT_EQ(number({0x89}), "false");
}

TEST(TorchFileTest, TextsAndContainersOfEveryInstructionAreRead) {
  const auto shown = [](const std::string& code) {
    PickleBytes pickle;
    pickle.op(code);
    return valueOf(pickle);
  };
  const std::string four = bytesOfText({2, 0, 0, 0});
  const std::string eight = bytesOfText({2, 0, 0, 0, 0, 0, 0, 0});
  for (const std::string& code : {"X" + four,
                                  "T" + four,
                                  "\x8C\x02" + std::string(),
                                  "U\x02" + std::string(),
                                  "\x8D" + eight}) {
    EXPECT_EQ(shown(code + "ab"), "'ab'");
  }
  for (const std::string& code :
       {"B" + four, "C\x02" + std::string(), "\x8E" + eight, "\x96" + eight}) {
    EXPECT_EQ(shown(code + "ab"), "bytes ab");
  }
  EXPECT_EQ(shown(")"), "list []");
  EXPECT_EQ(shown("\x8F"), "list []");
  EXPECT_EQ(shown("}"), "dict []");
  EXPECT_EQ(shown("K\x01\x85"), "list [1]");
  EXPECT_EQ(shown("K\x01K\x02\x86"), "list [1, 2]");
  EXPECT_EQ(shown("K\x01K\x02K\x03\x87"), "list [1, 2, 3]");
  EXPECT_EQ(shown("(K\x01K\x02t"), "list [1, 2]");
  EXPECT_EQ(shown("(K\x01l"), "list [1]");
  EXPECT_EQ(shown("(K\x01\x91"), "list [1]");
  EXPECT_EQ(shown("(K\x01K\x02"
                  "d"),
            "dict [1: 2]");
  EXPECT_EQ(shown("]K\x01"
                  "a"),
            "list [1]");
  EXPECT_EQ(shown("](K\x01K\x02"
                  "e"),
            "list [1, 2]");
  EXPECT_EQ(shown("\x8F(K\x01\x90"), "list [1]");
  EXPECT_EQ(shown("}K\x01K\x02s"), "dict [1: 2]");
  EXPECT_EQ(shown("}(\x88K\x02NK\x03]K\x04u"), "dict [True: 2, None: 3, key 2: 4]");
  EXPECT_EQ(shown("}\x89K\x02s"), "dict [False: 2]");
  EXPECT_EQ(shown("K\x01K\x02"
                  "0"),
            "1")
      << "taken off again";
  EXPECT_EQ(shown("K\x01(K\x02K\x03"
                  "1"),
            "1");
  EXPECT_EQ(shown("K\x01"
                  "2\x86"),
            "list [1, 1]");
  EXPECT_EQ(shown("K\x05\x94K\x06h" + bytesOfText({0}) + "\x87"), "list [5, 6, 5]");
  EXPECT_EQ(shown("K\x05r" + bytesOfText({3, 0, 0, 0}) + "j" + bytesOfText({3, 0, 0, 0}) + "\x86"),
            "list [5, 5]");
  EXPECT_EQ(shown("\x95" + std::string(8, '\0') + "K\x01"), "1");
}

TEST(TorchFileTest, CallsOfContainersMakeThem) {
  const auto shown = [](std::string_view name, const std::string& arguments) {
    PickleBytes pickle;
    pickle.global(name == "OrderedDict" ? "collections" : "builtins", name).op(arguments).op("R");
    return valueOf(pickle);
  };
  EXPECT_EQ(shown("OrderedDict", ")"), "dict []");
  EXPECT_EQ(shown("OrderedDict",
                  "](K\x01K\x02\x86K\x03K\x04\x86"
                  "e\x85"),
            "dict [1: 2, 3: 4]");
  EXPECT_EQ(shown("OrderedDict",
                  "](K\x01\x85K\x03K\x04\x86"
                  "e\x85"),
            "dict [3: 4]")
      << "what is no pair is left out";
  EXPECT_EQ(shown("OrderedDict", "}K\x01K\x02s\x85"), "dict [1: 2]");
}

TEST(TorchFileTest, LimitsAreReachedAndNotExceeded) {
  const auto nested = [](std::size_t depth) {
    PickleBytes pickle;
    pickle.op(std::string(depth, ']') + std::string(depth - 1, 'a'));
    return parse(archiveOf(pickle.end()));
  };
  EXPECT_TRUE(nested(400));
  EXPECT_THAT(messageOf(nested(401)), HasSubstr("nest deeper than 400"));
  const auto keyed = [](std::size_t size) {
    PickleBytes pickle;
    pickle.op("}").unicode(std::string(size, 'k')).op("Ns");
    return parse(archiveOf(pickle.end()));
  };
  EXPECT_TRUE(keyed(4096));
  EXPECT_THAT(messageOf(keyed(4097)), HasSubstr("longer than 4096 bytes"));
  const auto named = [](std::size_t size) {
    PickleBytes pickle;
    pickle.global("builtins", std::string(size, 'n'));
    return messageOf(parse(archiveOf(pickle.end())));
  };
  EXPECT_THAT(named(255), HasSubstr("names 'builtins.nnn"));
  EXPECT_THAT(named(256), HasSubstr("the name of a global does not end"));
  EXPECT_TRUE(parse(archiveOf("\x80\x05N.")));
  EXPECT_THAT(messageOf(parse(archiveOf("\x80\x06N."))), HasSubstr("protocol 6"));
  ZipEntry pickle{"archive/data.pkl", std::string(100'000, 'x'), 8};
  pickle.size = 64U << 20U;
  EXPECT_THAT(messageOf(parse(zipOf({pickle}))), HasSubstr("is damaged"));
  ++pickle.size;
  EXPECT_THAT(messageOf(parse(zipOf({pickle}))), HasSubstr("at most 67108864 are read"));
}

}  // namespace
}  // namespace ulp::tensors
