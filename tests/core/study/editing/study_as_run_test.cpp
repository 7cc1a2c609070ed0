#include "core/study/editing/study_as_run.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp::study {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> kBoth{"bf16", "fp16"};
constexpr const char* kText = R"(# mine
model: {path: m}
input:
  sequence_length: 128   # tokens
variants:
  bf16: {precision.compute_dtype: bfloat16}
  # half
  fp16: {precision.compute_dtype: float16}
)";

std::string asRun(std::string_view text,
                  const std::vector<std::string>& sets,
                  const std::vector<std::string>& variants = kBoth) {
  const auto study = parseStudy(text, "study.yaml", sets);
  EXPECT_TRUE(study) << study.error().message();
  return study ? studyAsRun(*study, variants) : std::string();
}

TEST(StudyAsRun, KeepsTheTextOfAStudyThatRanAsItIs) {
  const std::string copy = asRun(kText, {});
  EXPECT_THAT(copy, StartsWith("# As run by Ulpscope "));
  EXPECT_EQ(withoutRunNote(copy), kText);
}

TEST(StudyAsRun, AMarkOfByteOrderDoesNotComeBehindItsNotes) {
  const std::string marked = std::string("\xEF\xBB\xBF") + kText;
  EXPECT_EQ(withoutRunNote(asRun(marked, {})), kText);
}

TEST(StudyAsRun, HasWhatTheCommandLineSetWhereItStoodAndSaysWhatThatWas) {
  const std::string copy = asRun(kText,
                                 {"input.sequence_length=64",
                                  "device=cpu",
                                  "capture={level: layer, exclude: [mlp]}",
                                  "variants.bf16.precision.cast=module",
                                  "reference.semantics=fast_llm",
                                  "variants.new.precision.compute_dtype=float16"},
                                 {"bf16", "fp16", "new"});
  EXPECT_THAT(copy, HasSubstr("\n# --set input.sequence_length=64, in place of 128\n"));
  EXPECT_THAT(copy, HasSubstr("\n# --set device=cpu\n"));
  EXPECT_THAT(copy,
              HasSubstr("# mine\nmodel: {path: m}\ninput:\n  sequence_length: 64   # tokens\n"));
  const Study again = *parseStudy(copy, "copy");
  EXPECT_EQ(again.sequenceLength, 64);
  EXPECT_EQ(again.device, "cpu");
  EXPECT_EQ(again.captureLevel, Level::Layer);
  EXPECT_EQ(again.exclude, std::vector<std::string>{"mlp"});
  EXPECT_EQ(effectiveSettings(again, "bf16")->at("precision.cast").value, "module");
  EXPECT_EQ(effectiveSettings(again, "fp16")->at("precision.cast").value, "load");
  EXPECT_EQ(effectiveSettings(again, "reference")->at("semantics").value, "fast_llm");
  EXPECT_EQ(effectiveSettings(again, "new")->at("precision.compute_dtype").value, "float16");
  EXPECT_THAT(keysSetInCopy(copy),
              ElementsAre("input.sequence_length",
                          "capture.level",
                          "capture.exclude",
                          "device",
                          "reference.semantics",
                          "variants.bf16.precision.cast",
                          "variants.new.precision.compute_dtype"));
}

TEST(StudyAsRun, ACopyOfACopyIsTheSame) {
  const std::string copy = asRun(kText, {"input.sequence_length=64"});
  EXPECT_EQ(withoutRunNote(asRun(copy, {})), withoutRunNote(copy));
}

TEST(StudyAsRun, LeavesOutTheVariantsThatDidNotRun) {
  const std::string copy = asRun(kText, {}, {"bf16"});
  EXPECT_THAT(copy, HasSubstr("\n# --variant bf16, without fp16\n# mine\n"));
  const Study again = *parseStudy(copy, "copy");
  ASSERT_EQ(again.variants.size(), 1U);
  EXPECT_EQ(again.variants[0].name, "bf16");
}

TEST(StudyAsRun, PathsLeadWhereTheyLedFromAnywhere) {
  const test::TempDir folder;
  fs::create_directories(folder / "model_of_this_test");
  folder.write("old_of_this_test.safetensors", "");
  folder.write("changes_of_this_test.py", "");
  const fs::path file = folder.write("study.yaml", R"(model.path: model_of_this_test
input.tokenizer: org/none
loss: {type: grpo, path: ./old_of_this_test.safetensors}
engine: python
variants:
  a: {python.prepare: changes_of_this_test.py:halve}
)");
  const auto study = loadStudy(file);
  ASSERT_TRUE(study) << study.error().message();
  const std::string copy = studyAsRun(*study, {"a"});
  EXPECT_EQ(originOfCopy(copy), file);
  const Study again = *parseStudy(copy, "elsewhere/copy.yaml");
  EXPECT_EQ(again.modelPath, folder / "model_of_this_test");
  EXPECT_EQ(again.settings.at("input.tokenizer").value, "org/none");
  EXPECT_EQ(again.loss.path, folder / "old_of_this_test.safetensors");
  EXPECT_EQ(again.variants[0].overrides[0].second.value,
            (folder / "changes_of_this_test.py").string() + ":halve");
  EXPECT_THAT(keysSetInCopy(copy), ElementsAre());
}

TEST(StudyAsRun, WritesWhatCannotBeChangedInItsPlaceAnewAndKeepsItAsAComment) {
  const std::string aliased = R"(model: {path: m}
reference: &x {precision.cast: module}
variants:
  bf16: {precision.rules: [{match: 'a, b', compute_dtype: float64}]}
  same: *x
)";
  const std::string changed =
      asRun(aliased, {"variants.same.semantics=fast_llm"}, {"bf16", "same"});
  EXPECT_THAT(changed, HasSubstr("\n# As it was read:\n#   model: {path: m}\n"));
  const Study again = *parseStudy(changed, "copy");
  const Study before = *parseStudy(aliased, "study", {"variants.same.semantics=fast_llm"});
  for (const char* run : {"reference", "bf16", "same"}) {
    const Settings a = *effectiveSettings(again, run);
    const Settings b = *effectiveSettings(before, run);
    for (const auto& [key, setting] : b) {
      EXPECT_EQ(a.at(key).value, setting.value) << run << " " << key;
    }
  }
}

TEST(StudyAsRun, FastLlmsWordsBecomeUlpscopesWhereSomethingWasSet) {
  constexpr const char* kFastLlm = R"(pretrained: {path: m}
sequence_length: 65
variants:
  bf16: {model.distributed.compute_dtype: bfloat16}
)";
  EXPECT_EQ(withoutRunNote(asRun(kFastLlm, {}, {"bf16"})), kFastLlm);
  const Study again = *parseStudy(asRun(kFastLlm, {"input.seed=3"}, {"bf16"}), "copy");
  const Study before = *parseStudy(kFastLlm, "study", {"input.seed=3"});
  EXPECT_EQ(again.seed, 3U);
  for (const auto& [key, setting] : before.settings) {
    EXPECT_EQ(again.settings.at(key).value, setting.value) << key;
  }
  EXPECT_EQ(effectiveSettings(again, "bf16")->at("semantics").value, "fast_llm");
  EXPECT_EQ(effectiveSettings(again, "bf16")->at("precision.compute_dtype").value, "bfloat16");
}

TEST(StudyAsRun, ACopyTellsWhatItWasMadeFrom) {
  EXPECT_EQ(originOfCopy("# As run by Ulpscope 1 from /there/study.yaml\nmodel.path: m\n"),
            "/there/study.yaml");
  EXPECT_TRUE(originOfCopy("# As run by Ulpscope 1\n").empty());
  EXPECT_TRUE(originOfCopy("# copied from /there/study.yaml\n").empty());
}

}  // namespace
}  // namespace ulp::study
