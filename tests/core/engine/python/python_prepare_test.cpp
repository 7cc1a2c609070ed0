#include <algorithm>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/digest/sha256.h"
#include "tests/core/engine/python/python_engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

/// Functions of python.prepare and model.factory: what they change and draw is of their run alone.
namespace ulp::engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kChanges = R"(
import os, random, sys
import numpy, torch
from torch.nn import functional

def patch_class(model):
    kind = type(model.model.layers[0].mlp)
    forward = kind.forward
    kind.forward = lambda self, x: forward(self, x) * 1.5
def add_attribute(model):
    type(model.lm_head).__call__ = lambda self, x: torch.nn.Module.__call__(self, x) * 2
def delete_attribute(model):
    del type(model.model.norm).forward
    type(model.model.norm).__call__ = lambda self, x: x
def patch_functional(model):
    functional.silu = lambda x, inplace=False: x
def patch_modelling(model):
    sys.modules[type(model).__module__].apply_rotary_pos_emb = lambda q, k, *given, **named: (q, k)
def change_registry(model):
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS as known
    known["sdpa"] = lambda module, q, k, v, mask, **named: (q.transpose(1, 2), None)
def hook_all(model):
    torch.nn.modules.module.register_module_forward_hook(
        lambda module, given, made: made * 2 if isinstance(module, torch.nn.Linear) else None)
def set_environment(model):
    os.environ["OF_THIS_TEST"] = "1"
    torch.set_flush_denormal(True)
def tell_environment(model):
    assert "OF_THIS_TEST" not in os.environ

def draw(model):
    with torch.no_grad():
        model.model.norm.weight.add_(torch.randn(()) + random.random() + float(numpy.random.rand()))
    model.model.layers[0].mlp.register_forward_hook(lambda module, given, made: made * torch.rand(()))
def draw_more(model):
    torch.rand(7), random.random(), numpy.random.rand()
    draw(model)

def three(model):
    return 3
def a_tuple(model):
    return model, None
def another(model):
    return torch.nn.Sequential(model)
)";

class PythonPrepare : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_file = m_folder.write("changes.py", kChanges).string();
    m_model = opened();
  }

  [[nodiscard]] std::unique_ptr<PythonModel> opened() const {
    return pythonOrFail({.model = {.path = m_folder.path()}});
  }

  [[nodiscard]] RunRequest request(const std::string& function,
                                   DType dtype = DType::Float32) const {
    RunRequest request = requestOf(dtype, kVocabulary);
    if (!function.empty()) {
      request.plan.python.prepare = m_file + ":" + function;
    }
    return request;
  }

  std::string errorOf(const std::string& function) {
    Recorder recorder;
    return runError(*m_model, request(function), recorder).message();
  }

  test::TempDir m_folder;
  std::string m_file;
  std::unique_ptr<PythonModel> m_model;
};

TEST_F(PythonPrepare, NothingThatItChangedOutsideOfTheModelStays) {
  const Recorder plain = runOrFail(*m_model, request(""));
  for (const char* function : {"patch_class",
                               "add_attribute",
                               "delete_attribute",
                               "patch_functional",
                               "patch_modelling",
                               "change_registry",
                               "hook_all"}) {
    SCOPED_TRACE(function);
    const Recorder changed = runOrFail(*m_model, request(function));
    EXPECT_FALSE(changed.of("logits", Pass::Forward).bytes ==
                 plain.of("logits", Pass::Forward).bytes);
    expectSameRuns(plain, runOrFail(*m_model, request("")));
  }
  runOrFail(*m_model, request("set_environment"));
  runOrFail(*m_model, request("tell_environment"));
}

TEST_F(PythonPrepare, WhatItChangesIsChangedOnceWhateverRanBefore) {
  const Recorder alone = runOrFail(*m_model, request("patch_class", DType::BFloat16));
  runOrFail(*m_model, request("patch_class"));
  expectSameRuns(alone, runOrFail(*m_model, request("patch_class", DType::BFloat16)));
}

TEST_F(PythonPrepare, TellsWhichFilesOfCodeARunHad) {
  m_folder.write("helper.py", "FACTOR = 2");
  m_file = m_folder.write("scaled.py", "import helper\ndef scale(model): pass\n").string();
  const auto codeOf = [this](const std::string& function) {
    Recorder recorder;
    const auto outcome = m_model->run(request(function), recorder, {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    return outcome ? outcome->codeFiles : decltype(outcome->codeFiles)();
  };
  EXPECT_THAT(codeOf(""), testing::IsEmpty());
  const std::string helper = (m_folder.path() / "helper.py").string();
  const auto before = codeOf("scale");
  EXPECT_THAT(before, testing::SizeIs(2));
  EXPECT_EQ(before.at(helper), *sha256("FACTOR = 2"));
  EXPECT_THAT(codeOf(""), testing::IsEmpty()) << "in a process of its own";
  m_folder.write("helper.py", "FACTOR = 3");
  EXPECT_EQ(codeOf("scale").at(helper), *sha256("FACTOR = 3"));
}

TEST_F(PythonPrepare, TellsOfCodeAsItWasWhenItWasLoaded) {
  m_folder.write("helper.py", "FACTOR = 2");
  m_file = m_folder
               .write("scaled.py", R"(
import importlib.util, pathlib
here = pathlib.Path(__file__).parent
spec = importlib.util.spec_from_file_location("not_among_modules", here / "helper.py")
spec.loader.exec_module(importlib.util.module_from_spec(spec))
(here / "helper.py").write_text("FACTOR = 3")
(here / "link.py").symlink_to(here / "helper.py")
import link
def scale(model): pass
)")
               .string();
  Recorder recorder;
  const auto outcome = m_model->run(request("scale"), recorder, {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->codeFiles.at((m_folder.path() / "helper.py").string()), *sha256("FACTOR = 2"));
  EXPECT_EQ(outcome->codeFiles.at((m_folder.path() / "link.py").string()), *sha256("FACTOR = 3"));
}

TEST_F(PythonPrepare, TensorsOfEarlierRunsStayAsTheyAre) {
  const Recorder held = runOrFail(*m_model, request(""));
  runOrFail(*m_model, request("patch_class"));
  runOrFail(*m_model, request("", DType::BFloat16));
  for (const Seen& one : held.seen) {
    EXPECT_TRUE(std::ranges::equal(one.capture.view.bytes(), one.bytes)) << one.site.name;
  }
}

TEST_F(PythonPrepare, DrawsTheSameNumbersWhateverRanBefore) {
  const Recorder alone = runOrFail(*m_model, request("draw"));
  expectSameRuns(alone, runOrFail(*m_model, request("draw")));  // with the model that is there
  runOrFail(*m_model, request("draw_more"));
  expectSameRuns(alone, runOrFail(*m_model, request("draw")));
  expectSameRuns(alone, runOrFail(*opened(), request("draw")));
}

TEST_F(PythonPrepare, WhatItReturnsIsAModelOrNothing) {
  EXPECT_THAT(errorOf("three"),
              AllOf(HasSubstr("changes.py:three returned int '3'"),
                    HasSubstr("return another torch.nn.Module")));
  EXPECT_THAT(errorOf("a_tuple"), HasSubstr("changes.py:a_tuple returned tuple '(Llama"));
}

TEST_F(PythonPrepare, AModelOfAFactoryIsChangedInPlace) {
  const auto factory = m_folder.write("factory.py", R"(
import random
import torch
def make():
    model = torch.nn.Sequential(torch.nn.Embedding(37, 8), torch.nn.Linear(8, 37))
    with torch.no_grad():
        model[1].bias.fill_(random.random())
    return model, lambda tokens: model(tokens[:, :-1]).logsumexp(-1).mean()
)");
  m_model = pythonOrFail({.factory = factory.string() + ":make"});
  EXPECT_THAT(errorOf("another"),
              AllOf(HasSubstr("changes.py:another returned another module"),
                    HasSubstr("change the module that it is given")));
  const Recorder plain = runOrFail(*m_model, request(""));
  runOrFail(*m_model, request("hook_all"));
  expectSameRuns(plain, runOrFail(*m_model, request("")));
}

}  // namespace
}  // namespace ulp::engine
