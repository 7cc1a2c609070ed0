#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/engine/python/python_engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

/// Models and losses of the user's own: model.factory.
namespace ulp::engine {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// A file that makes a model of the class Mine in `text`, of 37 tokens.
std::filesystem::path writeFactory(const test::TempDir& folder, const std::string& text) {
  return folder.write("mine.py", text + R"(
def make(*arguments):
    model = Mine(*arguments)
    def loss(tokens):
        logits = model(tokens[:, :-1]).float()
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    return model, loss
)");
}

std::unique_ptr<PythonModel> modelOf(const std::filesystem::path& file,
                                     const std::string& function) {
  return pythonOrFail({.model = {.seed = 3}, .factory = file.string() + ":" + function});
}

TEST(PythonFactory, RunsAModelAndALossOfOnesOwn) {
  const test::TempDir folder;
  const auto file = writeFactory(folder, R"(
import torch
class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)
    def forward(self, x):
        return x + torch.nn.functional.gelu(self.linear(x))
class Mine(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(37, 8)
        self.blocks = torch.nn.ModuleList(Block() for _ in range(3))
        self.out = torch.nn.Linear(8, 37)
    def forward(self, tokens):
        x = self.table(tokens)
        for block in self.blocks:
            x = block(x)
        return self.out(x)
def wrong():
    return Mine()
)");
  const auto model = modelOf(file, "make");
  EXPECT_EQ(model->info().layers, 3);
  EXPECT_EQ(model->info().vocabularySize, 37);
  EXPECT_EQ(model->facts().modelClass, "Mine");
  EXPECT_EQ(model->weightsDigest().value().size(), 64U);
  const Recorder first = runOrFail(*model, requestOf(DType::BFloat16, kVocabulary));
  expectSameRuns(first, runOrFail(*model, requestOf(DType::BFloat16, kVocabulary)));
  EXPECT_EQ(first.of("decoder.2", Pass::Forward).site.module, "blocks.2");
  EXPECT_EQ(first.of("blocks.2.linear", Pass::Backward).count(), 2U * 9 * 8);
  EXPECT_EQ(first.of("out.weight", Pass::ParameterGradient).count(), 37U * 8);
  RunRequest activations = requestOf(DType::BFloat16, kVocabulary);
  activations.parameterGradients = false;
  const Recorder without = runOrFail(*model, activations);
  EXPECT_TRUE(without.of("decoder.2", Pass::Backward).bytes ==
              first.of("decoder.2", Pass::Backward).bytes);
  EXPECT_EQ(without.seen.back().site.pass, Pass::Backward);
  const auto wrong = tryPython({.factory = file.string() + ":wrong"});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message(), HasSubstr("must return"));
  const auto none = tryPython({.factory = (folder / "none.py").string() + ":make"});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message(), HasSubstr("there is no such file"));
}

constexpr const char* kCheckpointed = R"(
import torch
from torch.utils.checkpoint import checkpoint
class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(8)
        self.linear = torch.nn.Linear(8, 8)
    def forward(self, x):
        return x + torch.nn.functional.gelu(self.linear(self.norm(x)))
class Mine(torch.nn.Module):
    def __init__(self, call):
        super().__init__()
        self.call = call
        self.table = torch.nn.Embedding(37, 8)
        self.blocks = torch.nn.ModuleList(Block() for _ in range(3))
        self.out = torch.nn.Linear(8, 37)
    def forward(self, tokens):
        x = self.table(tokens)
        for block in self.blocks:
            x = self.call(block, x)
        return self.out(x)
def plain():
    return make(lambda block, x: block(x))
def reentrant():
    return make(lambda block, x: checkpoint(block, x, use_reentrant=True))
def other():
    return make(lambda block, x: checkpoint(block, x, use_reentrant=False))
)";

/// Modules would run again in the backward pass, and each of their rows would be there twice.
TEST(PythonFactory, ActivationCheckpointingChangesNoRow) {
  const test::TempDir folder;
  const auto file = writeFactory(folder, kCheckpointed);
  for (const Level level : {Level::Module, Level::Op}) {
    RunRequest request = requestOf(DType::BFloat16, kVocabulary);
    request.level = level;
    const auto without = modelOf(file, "plain");
    const Recorder plain = runOrFail(*without, request);
    EXPECT_THAT(without->takeNotes(), IsEmpty());
    for (const std::string function : {"reentrant", "other"}) {
      // Reentrant ones add the gradients of an argument up by themselves, which is an operation.
      if (function == "reentrant" && level == Level::Op) {
        continue;
      }
      const auto with = modelOf(file, function);
      expectSameRuns(plain, runOrFail(*with, request));
      EXPECT_THAT(with->takeNotes(), Contains(HasSubstr("torch.utils.checkpoint")));
    }
  }
}

/// Which rows there are is found out by a pass over a few tokens.
TEST(PythonFactory, CallsThatAFewTokensDoNotMakeAreTold) {
  const test::TempDir folder;
  const auto file = writeFactory(folder, R"(
import torch
class Mine(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(37, 8)
        self.mlp = torch.nn.Linear(8, 8)
        self.out = torch.nn.Linear(8, 37)
    def forward(self, tokens):
        return self.out(torch.cat([self.mlp(part) for part in self.table(tokens).split(1, 1)], 1))
)");
  const auto model = modelOf(file, "make");
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.backward = false;
  static_cast<void>(runOrFail(*model, request));
  EXPECT_THAT(model->takeNotes(), IsEmpty());
  request.microBatches = {sharedEngine().randomTokens(kVocabulary, 2, 21, 8).value()};
  static_cast<void>(runOrFail(*model, request));
  EXPECT_THAT(
      model->takeNotes(),
      testing::ElementsAre("2 calls of modules have no row, since 19 tokens in the reference "
                           "do not make as many: mlp:20 (forward), mlp:21 (forward)"));
}

/// torch computes a batch norm in the format of its weight only with statistics of that format.
TEST(PythonFactory, BatchNormsRunInNarrowFormats) {
  const test::TempDir folder;
  const auto file = writeFactory(folder, R"(
import torch
class Mine(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(37, 8)
        self.norm = torch.nn.BatchNorm1d(8)
        self.norm.running_mean += 1.001
        self.out = torch.nn.Linear(8, 37)
        self.register_buffer("scale", torch.tensor(1.001))
    def forward(self, tokens):
        assert self.scale.dtype == torch.float32  # as from_pretrained leaves it
        return self.out(self.norm(self.table(tokens).transpose(1, 2)).transpose(1, 2))
)");
  const auto model = modelOf(file, "make");
  const Recorder wide = runOrFail(*model, requestOf(DType::Float32, kVocabulary));
  const Recorder narrow = runOrFail(*model, requestOf(DType::BFloat16, kVocabulary));
  EXPECT_EQ(narrow.of("norm", Pass::Forward).capture.view.dtype, DType::BFloat16);
  EXPECT_EQ(narrow.of("norm", Pass::Forward).count(), wide.of("norm", Pass::Forward).count());
  const Recorder again = runOrFail(*model, requestOf(DType::Float32, kVocabulary));
  expectSameRuns(wide, again);
}

TEST(PythonFactory, ModulesUnderVmapShowAllThatTheyComputeAtOnce) {
  const test::TempDir folder;
  const auto file = writeFactory(folder, R"(
import torch
class Mine(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(37, 8)
        self.linear = torch.nn.Linear(8, 8)
        self.out = torch.nn.Linear(8, 37)
    def forward(self, tokens):
        x = self.table(tokens)
        return self.out(torch.vmap(self.linear)(x) + self.linear(x))
)");
  const auto model = modelOf(file, "make");
  for (const Level level : {Level::Module, Level::Op}) {
    RunRequest request = requestOf(DType::Float32, kVocabulary);
    request.level = level;
    const Recorder run = runOrFail(*model, request);
    for (const Pass pass : {Pass::Forward, Pass::Backward}) {
      const Seen& mapped = run.of("linear", pass);
      const Seen& plain = run.of("linear:2", pass);
      ASSERT_EQ(mapped.count(), 2U * 9 * 8);
      ASSERT_EQ(plain.count(), mapped.count());
      for (std::size_t i = 0; i < plain.count(); ++i) {
        EXPECT_NEAR(mapped.at(i), plain.at(i), 1e-6) << i;
      }
    }
  }
}

TEST(PythonFactory, TensorsOfOtherLayoutsShowTheirElements) {
  const test::TempDir folder;
  const auto file = writeFactory(folder, R"(
import torch
class Made(torch.nn.Module):
    def __init__(self, change):
        super().__init__()
        self.change = change
    def forward(self, x):
        return self.change(x * 2)
def nested(x):
    return torch.nested.nested_tensor_from_jagged(x.flatten(0, 1), torch.tensor([0, 5, x.shape[0] * x.shape[1]]))
def conjugate(x):
    return torch.view_as_complex(x.unflatten(-1, (-1, 2))).conj()
class Mine(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(37, 8)
        self.plain = Made(lambda x: x)
        self.sparse = Made(lambda x: x.to_sparse())
        self.nested = Made(nested)
        self.conjugate = Made(conjugate)
        self.out = torch.nn.Linear(8, 37)
    def forward(self, tokens):
        x = self.table(tokens)
        real = torch.view_as_real(self.conjugate(x).resolve_conj()).flatten(-2)
        return self.out(self.plain(x) + self.sparse(x).to_dense() + self.nested(x).values().view_as(x) + real)
)");
  const auto model = modelOf(file, "make");
  const Recorder run = runOrFail(*model, requestOf(DType::Float32, kVocabulary));
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    const Seen& plain = run.of("plain", pass);
    ASSERT_EQ(plain.count(), 2U * 9 * 8);
    for (const char* const name : {"sparse", "nested", "conjugate"}) {
      const Seen& other = run.of(name, pass);
      ASSERT_EQ(other.count(), plain.count()) << name;
      for (std::size_t i = 0; i < plain.count(); ++i) {
        const bool isNegative = std::string_view(name) == "conjugate" && i % 2 == 1;
        EXPECT_EQ(other.at(i), isNegative ? -plain.at(i) : plain.at(i)) << name << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace ulp::engine
