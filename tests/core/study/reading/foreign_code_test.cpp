#include "core/study/reading/foreign_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::study {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> codeOf(const std::string& yaml) {
  const auto study = parseStudy(yaml, "study.yaml");
  EXPECT_TRUE(study) << study.error().message();
  return study ? foreignCode(*study) : std::vector<std::string>();
}

TEST(ForeignCode, IsWhatFunctionsAndCheckpointsBring) {
  EXPECT_THAT(codeOf("model.path: m\nvariants: {a: {precision.compute_dtype: bfloat16}}\n"),
              IsEmpty());
  EXPECT_THAT(codeOf("model.path: a/b\npython.trust_code: true\n"),
              ElementsAre("code that comes with a/b"));
  EXPECT_THAT(codeOf(R"(
model.factory: mine.py:make
python.trust_code: true
variants:
  a: {python.prepare: changes.py:halve}
  b: {python.prepare: changes.py:halve}
  c: {python.prepare: changes.py:double}
)"),
              ElementsAre("mine.py:make", "changes.py:halve", "changes.py:double"));
}

}  // namespace
}  // namespace ulp::study
