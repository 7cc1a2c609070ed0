#include "core/engine/kernels/kernel_rows.h"

#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

using Names = std::vector<std::string_view>;

Site layerRow(const std::string& name, const std::string& module, Pass pass = Pass::Forward) {
  return {name, module, -1, Level::Layer, pass};
}

Site moduleRow(const std::string& name, Pass pass = Pass::Forward) {
  return {name, name, 0, Level::Module, pass};
}

/// A run as a list of what happens one after another.
class Story {
 public:
  Story& begins(const Site& row) { return mark(RowMark::Kind::Begins, row); }
  Story& ends(const Site& row) { return mark(RowMark::Kind::Ends, row); }
  Story& aside() { return mark(RowMark::Kind::Aside, {}); }
  Story& back() { return mark(RowMark::Kind::Back, {}); }
  Story& runs(const std::string& kernel) {
    m_launches.push_back({kernel, m_time++});
    return *this;
  }

  [[nodiscard]] KernelRecord record() const {
    // The profiler lists kernels by when they ran, and of several streams mixed.
    return kernelsOfRows(m_marks, {m_launches.rbegin(), m_launches.rend()});
  }

 private:
  Story& mark(RowMark::Kind kind, const Site& row) {
    m_marks.push_back({kind, m_time++, row});
    return *this;
  }

  std::int64_t m_time = 0;
  std::vector<RowMark> m_marks;
  std::vector<KernelLaunch> m_launches;
};

const Site kLayer = layerRow("decoder.0", "model.layers.0");
const Site kAttention = moduleRow("model.layers.0.self_attn");
const Site kQuery = moduleRow("model.layers.0.self_attn.q_proj");

TEST(KernelRows, AKernelIsThatOfTheInnermostRow) {
  const KernelRecord record = Story()
                                  .begins(kLayer)
                                  .begins(kAttention)
                                  .begins(kQuery)
                                  .runs("gemm")
                                  .ends(kQuery)
                                  .runs("flash")
                                  .ends(kAttention)
                                  .runs("add")
                                  .ends(kLayer)
                                  .record();
  EXPECT_EQ(record.of(Pass::Forward, "model.layers.0.self_attn.q_proj"), Names{"gemm"});
  EXPECT_EQ(record.of(Pass::Forward, "model.layers.0.self_attn"), Names{"flash"});
  EXPECT_EQ(record.of(Pass::Forward, "decoder.0"), Names{"add"});
  EXPECT_TRUE(record.isConsistent());
}

TEST(KernelRows, NamesOfARowStandOnceInTheOrderOfTheirFirstLaunch) {
  const KernelRecord record = Story()
                                  .begins(kQuery)
                                  .runs("cast")
                                  .runs("gemm")
                                  .runs("cast")
                                  .ends(kQuery)
                                  .begins(kAttention)
                                  .runs("gemm")
                                  .ends(kAttention)
                                  .record();
  EXPECT_EQ(record.of(Pass::Forward, kQuery.name), (Names{"cast", "gemm"}));
  EXPECT_EQ(record.names.size(), 2U);
}

TEST(KernelRows, RowsThatNeverBeginHaveWhatBelongsToNoOther) {
  const Site embeddings = layerRow("embeddings", "model.embed_tokens");
  const Site loss = layerRow("loss", "");
  const KernelRecord record = Story()
                                  .runs("gather")
                                  .ends(embeddings)
                                  .begins(kLayer)
                                  .runs("gemm")
                                  .ends(kLayer)
                                  .runs("nll")
                                  .ends(loss)
                                  .record();
  EXPECT_EQ(record.of(Pass::Forward, "embeddings"), Names{"gather"});
  EXPECT_EQ(record.of(Pass::Forward, "loss"), Names{"nll"});
}

TEST(KernelRows, WhatRanForNoRowIsNotThatOfARowBehindOthers) {
  const Site loss = layerRow("loss", "");
  const KernelRecord record =
      Story().runs("tables").begins(kLayer).runs("gemm").ends(kLayer).ends(loss).record();
  EXPECT_TRUE(record.of(Pass::Forward, "loss").empty());
}

// The logits are announced when they are there: their row begins and ends at one moment, and in the
// backward pass ends before it begins.
TEST(KernelRows, TheLogitsHaveTheKernelsOfTheHead) {
  const Site logits = layerRow("logits", "lm_head");
  const Site logitsBack = layerRow("logits", "lm_head", Pass::Backward);
  const Site headBack = moduleRow("lm_head", Pass::Backward);
  const KernelRecord record = Story()
                                  .runs("head")
                                  .begins(logits)
                                  .ends(logits)
                                  .runs("loss gradient")
                                  .ends(logitsBack)
                                  .begins(logitsBack)
                                  .runs("head gradient")
                                  .ends(headBack)
                                  .record();
  EXPECT_EQ(record.of(Pass::Forward, "logits"), Names{"head"});
  EXPECT_EQ(record.of(Pass::Backward, "logits"), Names{"loss gradient"});
  EXPECT_EQ(record.of(Pass::Backward, "lm_head"), Names{"head gradient"});
}

// o_proj and self_attn have one output, whose gradient begins both.
TEST(KernelRows, OfRowsThatBeginTogetherTheDeepestRuns) {
  const Site output = moduleRow("model.layers.0.self_attn.o_proj", Pass::Backward);
  const Site attention = moduleRow("model.layers.0.self_attn", Pass::Backward);
  const KernelRecord record = Story()
                                  .begins(output)
                                  .begins(attention)
                                  .runs("gemm")
                                  .ends(output)
                                  .runs("flash")
                                  .ends(attention)
                                  .record();
  EXPECT_EQ(record.of(Pass::Backward, output.name), Names{"gemm"});
  EXPECT_EQ(record.of(Pass::Backward, attention.name), Names{"flash"});
}

TEST(KernelRows, AnOperationSharesWithItsModule) {
  const Site scores{
      "model.layers.0.self_attn.scores", "model.layers.0.self_attn", 0, Level::Op, Pass::Forward};
  const KernelRecord record = Story()
                                  .begins(kAttention)
                                  .begins(kQuery)
                                  .runs("gemm")
                                  .ends(kQuery)
                                  .runs("product")
                                  .ends(scores)
                                  .runs("softmax")
                                  .ends(kAttention)
                                  .record();
  EXPECT_EQ(record.of(Pass::Forward, scores.name), Names{"product"});
  EXPECT_EQ(record.of(Pass::Forward, kAttention.name), (Names{"product", "softmax"}));
}

TEST(KernelRows, WhatObserversLaunchIsNobodys) {
  const KernelRecord record = Story()
                                  .begins(kQuery)
                                  .runs("gemm")
                                  .aside()
                                  .runs("compare")
                                  .aside()
                                  .runs("copy")
                                  .back()
                                  .runs("compare")
                                  .back()
                                  .runs("bias")
                                  .ends(kQuery)
                                  .record();
  EXPECT_EQ(record.names, (std::vector<std::string>{"gemm", "bias"}));
}

TEST(KernelRows, ARowWithoutKernelsIsNotListed) {
  const KernelRecord record = Story().begins(kLayer).ends(kLayer).record();
  EXPECT_TRUE(record.isEmpty());
  EXPECT_TRUE(record.of(Pass::Forward).empty());
}

}  // namespace
}  // namespace ulp::engine
