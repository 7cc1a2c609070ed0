#include "runner/worker/input/file_digests.h"

#include <gtest/gtest.h>

#include "core/base/digest/sha256.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

constexpr const char* kPolicyStudy = R"(
model: {path: model}
loss: {type: grpo, advantages: file, path: policy.safetensors}
variants:
  patched: {python.prepare: "changes.py:patch"}
)";

TEST(FileDigests, AreOfWhatSettingsNameBesideTheStudy) {
  const test::TempDir folder;
  folder.write("model/config.json", "{}");
  folder.write("policy.safetensors", "numbers");
  folder.write("changes.py", "code");
  const auto study = *study::loadStudy(folder.write("study.yaml", kPolicyStudy));
  FileDigests digests(study);
  study::Settings settings = study.settings;
  EXPECT_EQ(*digests.of(settings),
            (FileDigests::ByKey{{"loss.path", *sha256("numbers")}, {"model.path", *sha256("{}")}}));
  settings["python.prepare"].value = "changes.py:patch";
  EXPECT_EQ(digests.of(settings)->at("python.prepare"), *sha256("code"));
  settings["python.prepare"].value = "gone.py:patch";
  EXPECT_FALSE(digests.of(settings)->contains("python.prepare")) << "the run tells of it";
}

TEST(FileDigests, OfFunctionsAreThoseThatRunsHad) {
  const test::TempDir folder;
  folder.write("changes.py", "code");
  const auto study = *study::loadStudy(folder.write("study.yaml", kPolicyStudy));
  study::Settings settings = study.settings;
  settings["python.prepare"].value = "changes.py:patch";
  const auto planned = *FileDigests(study).of(settings);
  const std::string path = (folder / "changes.py").string();
  EXPECT_TRUE(checkUnchanged(study, settings, planned, {{path, *sha256("code")}}));
  EXPECT_TRUE(checkUnchanged(study, settings, planned, {})) << "a run without Python";
  const auto changed = checkUnchanged(study, settings, planned, {{path, *sha256("other")}});
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().message(),
            "python.prepare: " + path + " was changed since the study began; run it again");
}

TEST(FileDigests, LeaveOutWhatTheLossDoesNotRead) {
  const test::TempDir folder;
  folder.write("policy.safetensors", "numbers");
  const auto study =
      *study::loadStudy(folder.write("study.yaml", kPolicyStudy), {"loss.advantages=normal"});
  EXPECT_FALSE(FileDigests(study).of(study.settings)->contains("loss.path"));
}

}  // namespace
}  // namespace ulp::worker
