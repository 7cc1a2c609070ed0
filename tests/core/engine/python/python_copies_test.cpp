#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/engine/python/python_engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

/// Tensors that GPUs are still computing and copying, played by threads of the CPU.
namespace ulp::engine {
namespace {

constexpr const char* kPlayedGpus = R"(
import random, threading, time
import torch
from ulpscope_engine import copying

class Late:
    def __init__(self, place, tensor):
        self.error, draws = None, random.Random(place.data_ptr())
        place.view(-1).view(torch.uint8).fill_(255)
        self.thread = threading.Thread(target=self.run, args=(place, tensor.clone(), draws.random() / 100))
        self.thread.start()
    def run(self, place, tensor, seconds):
        time.sleep(seconds)
        place.copy_(tensor)
    def is_complete(self):
        return not self.thread.is_alive()
    def wait(self):
        self.thread.join()

class Broken(Late):
    def is_complete(self):
        return super().is_complete() and self.wait()
    def wait(self):
        super().wait()
        raise RuntimeError("the copy failed")

def late(model, kind=Late):
    Gpus = copying.Gpus
    Gpus.takes = lambda self, tensor: tensor.numel() > 0
    Gpus.lock = lambda self, address, size: ""
    Gpus.start = lambda self, place, tensor: kind(place, tensor)
def broken(model):
    late(model, Broken)
def refused(model):
    late(model)
    copying.Gpus.lock = lambda self, address, size: "not permitted"
)";

class PythonCopies : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_file = m_folder.write("gpus.py", kPlayedGpus).string();
    m_model = pythonOrFail({.model = {.path = m_folder.path()}});
  }

  [[nodiscard]] RunRequest request(const std::string& function, Level level) const {
    RunRequest request = requestOf(DType::Float32, kVocabulary);
    request.level = level;
    request.plan.python.prepare = function.empty() ? "" : m_file + ":" + function;
    return request;
  }

  test::TempDir m_folder;
  std::string m_file;
  std::unique_ptr<PythonModel> m_model;
};

TEST_F(PythonCopies, AreWholeAndInOrderHoweverLateTheyEnd) {
  for (const Level level : {Level::Module, Level::Op}) {
    const Recorder plain = runOrFail(*m_model, request("", level));
    expectSameRuns(plain, runOrFail(*m_model, request("late", level)));
  }
}

TEST_F(PythonCopies, ThatFailAreTheErrorOfTheirRun) {
  const Recorder plain = runOrFail(*m_model, request("", Level::Module));
  Recorder recorder;
  const Error error = runError(*m_model, request("broken", Level::Module), recorder);
  EXPECT_THAT(error.message(), testing::HasSubstr("RuntimeError: the copy failed"));
  expectSameRuns(plain, runOrFail(*m_model, request("", Level::Module)));
}

TEST_F(PythonCopies, AreWaitedForWhereMemoryIsNotLocked) {
  const Recorder plain = runOrFail(*m_model, request("", Level::Module));
  expectSameRuns(plain, runOrFail(*m_model, request("refused", Level::Module)));
  EXPECT_THAT(m_model->takeNotes(),
              testing::ElementsAre(testing::HasSubstr("cannot be page-locked: not permitted")));
}

}  // namespace
}  // namespace ulp::engine
