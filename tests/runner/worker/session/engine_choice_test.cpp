#include <gmock/gmock.h>

#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class EngineChoice : public StudyRunnerTest {
 protected:
  EngineChoice() {
    m_engine =
        test::FakeEngine({.openError = Error(ErrorCode::Unsupported,
                                             "config.json: 'Qwen3ForCausalLM' is not known")});
  }

  std::string errorOf(const std::vector<std::string>& sets) {
    const auto result = run(study(sets));
    EXPECT_FALSE(result);
    return result ? std::string() : result.error().message();
  }

  std::string log() const {
    std::string text;
    for (const Message& message : events<Message>()) {
      text += message.text + "\n";
    }
    return text;
  }
};

TEST_F(EngineChoice, WhatTheNativeEngineDoesNotKnowGoesToPython) {
  EXPECT_THAT(errorOf({"python.executable=/no/python"}),
              AllOf(HasSubstr("python.executable: there is no /no/python"),
                    HasSubstr("the native engine does not open the model either: config.json: "
                              "'Qwen3ForCausalLM' is not known")));
  EXPECT_THAT(log(), HasSubstr("engine: python, since the native engine does not open the model"));
}

TEST_F(EngineChoice, AnEngineThatIsNamedIsTheOnlyOne) {
  EXPECT_THAT(errorOf({"engine=native", "python.executable=/no/python"}),
              AllOf(HasSubstr("Qwen3ForCausalLM"), Not(HasSubstr("/no/python"))));
  EXPECT_THAT(errorOf({"engine=python", "python.executable=/no/python"}),
              AllOf(HasSubstr("/no/python"), Not(HasSubstr("Qwen3ForCausalLM"))));
}

TEST_F(EngineChoice, ALeverThatPythonLacksIsToldBeforePythonStarts) {
  EXPECT_THAT(errorOf({"engine=python", "python.executable=/no/python", "semantics=fast_llm"}),
              AllOf(HasSubstr("--set semantics=fast_llm"), Not(HasSubstr("cannot be started"))));
}

TEST_F(EngineChoice, DamagedWeightsAreNoReasonToTryPython) {
  m_engine = test::FakeEngine({.openError = Error(ErrorCode::CorruptData, "cut short")});
  EXPECT_THAT(errorOf({"python.executable=/no/python"}),
              AllOf(HasSubstr("cut short"), Not(HasSubstr("/no/python"))));
}

}  // namespace
}  // namespace ulp::worker
