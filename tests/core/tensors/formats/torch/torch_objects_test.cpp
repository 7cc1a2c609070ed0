#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/torch/torch_file.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<std::shared_ptr<const TorchFile>> fileOf(PickleBytes& pickle) {
  return TorchFile::parse(sourceOf(archiveOf(pickle.end(), numbers({1, 2, 3, 4, 5, 6}))));
}

/// Of the only tensor: its elements, or why it is not read.
std::string readingOf(PickleBytes& pickle) {
  const auto file = fileOf(pickle);
  if (!file) {
    return file.error().message();
  }
  if ((*file)->tensors().size() != 1) {
    return "not one tensor";
  }
  const auto tensor = (*file)->readAt(0);
  if (!tensor) {
    return tensor.error().message();
  }
  std::string text;
  for (const float element : elementsOf<float>(*tensor)) {
    text += std::to_string(static_cast<int>(element)) + " ";
  }
  return text;
}

/// The arguments of a tensor of [2, 2] from the third element on, up to its hooks; not closed.
PickleBytes& begin(PickleBytes& pickle) {
  pickle.op("((").unicode("storage").global("torch", "FloatStorage").unicode("0").unicode("cpu");
  pickle.integer(6).op("tQ").integer(2).tuple({2, 2}).tuple({2, 1});
  return pickle.op("\x89").global("collections", "OrderedDict").op(")R");
}

TEST(TorchObjects, ParametersAreTheirTensors) {
  for (const char* const name : {"_rebuild_parameter", "_rebuild_parameter_with_state"}) {
    PickleBytes pickle;
    pickle.global("torch._utils", name).op("(");
    pickle.tensor("0", 6, 4, {2}, {1}).op("\x88").global("collections", "OrderedDict").op(")RtR");
    EXPECT_EQ(readingOf(pickle), "5 6 ") << name;
  }
}

TEST(TorchObjects, TensorsOfAClassOfTheirOwnAreTensors) {
  PickleBytes pickle;
  pickle.global("torch._tensor", "_rebuild_from_type_v2").op("(");
  pickle.global("torch._utils", "_rebuild_tensor_v2").global("torch.nn.parameter", "Buffer");
  begin(pickle).op("t}tR");
  EXPECT_EQ(readingOf(pickle), "3 4 5 6 ");
}

TEST(TorchObjects, ParametersOfParametersEnd) {
  const auto wrapped = [](int times) {
    PickleBytes pickle;
    for (int i = 0; i < times; ++i) {
      pickle.global("torch._utils", "_rebuild_parameter").op("(");
    }
    pickle.tensor("0", 6, 4, {2}, {1});
    for (int i = 0; i < times; ++i) {
      pickle.op("tR");
    }
    return readingOf(pickle);
  };
  EXPECT_EQ(wrapped(399), "5 6 ");
  EXPECT_THAT(wrapped(400), HasSubstr("a tensor is wrapped more than 400 times"));
}

TEST(TorchObjects, WhatHasNoPlainElementsSaysWhatToSave) {
  PickleBytes quantized;
  quantized.global("torch._utils", "_rebuild_qtensor");
  EXPECT_THAT(readingOf(begin(quantized).op("tR")),
              HasSubstr("a quantized tensor is not read; save its dequantize()"));
  for (const auto& [name, kind] :
       {std::pair("_rebuild_sparse_tensor", "a sparse tensor is not read"),
        std::pair("_rebuild_sparse_csr_tensor", "a sparse tensor is not read"),
        std::pair("_rebuild_nested_tensor", "a nested tensor is not read"),
        std::pair("_rebuild_meta_tensor_no_storage",
                  "a tensor without elements (device meta) is not read")}) {
    PickleBytes pickle;
    pickle.global("torch._utils", name).op(")R");
    EXPECT_THAT(readingOf(pickle), HasSubstr(kind));
  }
}

TEST(TorchObjects, ViewsThatAreToBeReadNegatedAreRefused) {
  const auto reading = [](std::string_view metadata) {
    PickleBytes pickle;
    pickle.global("torch._utils", "_rebuild_tensor_v2");
    return readingOf(begin(pickle).op("}").unicode("conj").op("\x89s").op(metadata).op("tR"));
  };
  const std::string neg = PickleBytes().unicode("neg").content().substr(2);
  EXPECT_EQ(reading(""), "3 4 5 6 ");
  EXPECT_EQ(reading(neg + "\x89s"), "3 4 5 6 ");
  EXPECT_THAT(reading(neg + "\x88s"), HasSubstr("save its resolve_neg()"));
  const std::string other = PickleBytes().unicode("Neg").content().substr(2);
  EXPECT_EQ(reading(other + "\x88s"), "3 4 5 6 ");
}

TEST(TorchObjects, ThoseOfTheThirdVersionNameTheirTypeBeforeTheirMarks) {
  const auto reading = [](std::string_view metadata) {
    PickleBytes pickle;
    pickle.global("torch._utils", "_rebuild_tensor_v3").op("((").unicode("storage");
    pickle.global("torch.storage", "UntypedStorage").unicode("0").unicode("cpu").integer(24);
    pickle.op("tQ").integer(1).tuple({2}).tuple({1}).op("\x89");
    pickle.global("collections", "OrderedDict").op(")R").global("torch", "float32");
    return readingOf(pickle.op(metadata).op("tR"));
  };
  EXPECT_EQ(reading(""), "2 3 ");
  const std::string neg = "}" + PickleBytes().unicode("neg").content().substr(2);
  EXPECT_THAT(reading(neg + "\x88s"), HasSubstr("save its resolve_neg()"));
}

TEST(TorchObjects, SizesAreLists) {
  PickleBytes pickle;
  pickle.global("torch", "Size").tuple({2, 3}).op("\x85R");
  const auto size = fileOf(pickle);
  ASSERT_TRUE(size) << size.error().message();
  ASSERT_EQ((*size)->root().kind, TorchKind::List);
  ASSERT_EQ((*size)->root().items.size(), 2U);
  EXPECT_EQ((*size)->root().items[1].integer, 3);
  PickleBytes shaped;
  shaped.global("torch._utils", "_rebuild_tensor_v2").op("((").unicode("storage");
  shaped.global("torch", "FloatStorage").unicode("0").unicode("cpu").integer(6).op("tQ");
  shaped.integer(2).global("torch", "Size").tuple({4}).op("\x85R").tuple({1}).op("\x89");
  shaped.global("collections", "OrderedDict").op(")RtR");
  EXPECT_EQ(readingOf(shaped), "3 4 5 6 ");
}

TEST(TorchObjects, TypesAreTextsAndOtherObjectsAreNothing) {
  PickleBytes type;
  type.global("torch", "float32");
  const auto text = fileOf(type);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ((*text)->root().kind, TorchKind::Text);
  EXPECT_THAT((*text)->root().text, HasSubstr("float32"));
  PickleBytes global;
  global.global("torch", "strided");
  PickleBytes call;
  call.global("torch", "device").unicode("cpu").op("\x85R");
  PickleBytes storage;
  storage.op("(").unicode("storage").global("torch", "FloatStorage").unicode("0").unicode("cpu");
  storage.integer(6).op("tQ");
  for (PickleBytes* const pickle : {&global, &call, &storage}) {
    const auto file = fileOf(*pickle);
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_EQ((*file)->root().kind, TorchKind::Other);
    EXPECT_TRUE((*file)->tensors().empty());
  }
}

}  // namespace
}  // namespace ulp::tensors
