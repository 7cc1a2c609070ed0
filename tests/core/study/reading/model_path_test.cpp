#include <cstdlib>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/reading/study.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::study {
namespace {

using testing::HasSubstr;

/// Sets an environment variable while in scope. The tests are single-threaded.
class ScopedEnvironment {
 public:
  ScopedEnvironment(const char* name, const std::string& value) : m_name(name) {
    if (const char* old = std::getenv(name)) {  // NOLINT(concurrency-mt-unsafe)
      m_old = old;
    }
    ::setenv(name, value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  ~ScopedEnvironment() {
    if (m_old) {
      ::setenv(m_name, m_old->c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    } else {
      ::unsetenv(m_name);  // NOLINT(concurrency-mt-unsafe)
    }
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  const char* m_name;
  std::optional<std::string> m_old;
};

Study studyOf(const std::filesystem::path& file, std::string modelPath) {
  Study study;
  study.file = file;
  study.modelPath = std::move(modelPath);
  return study;
}

TEST(ModelPath, TakesAPathThatExists) {
  const test::TempDir dir;
  const auto model = dir.write("m/config.json", "{}").parent_path();
  EXPECT_EQ(resolveModelPath(studyOf("s.yaml", model.string())).value(), model);
}

TEST(ModelPath, LooksBesideTheStudy) {
  const test::TempDir dir;
  dir.write("model_beside_study/config.json", "{}");
  EXPECT_EQ(resolveModelPath(studyOf(dir / "s.yaml", "model_beside_study")).value(),
            dir / "model_beside_study");
}

TEST(ModelPath, FindsTheSnapshotOfAHubId) {
  const test::TempDir dir;
  const std::string repository = "hub/models--HuggingFaceTB--SmolLM2-135M";
  dir.write(repository + "/refs/main", "12fd25f7\n");
  dir.write(repository + "/snapshots/12fd25f7/config.json", "{}");
  dir.write(repository + "/snapshots/older/config.json", "{}");
  const ScopedEnvironment cache("HF_HUB_CACHE", (dir / "hub").string());
  EXPECT_EQ(resolveModelPath(studyOf("", "HuggingFaceTB/SmolLM2-135M")).value(),
            dir / repository / "snapshots" / "12fd25f7");
}

TEST(ModelPath, LooksInHfHomeAndInTheHomeFolder) {
  const test::TempDir dir;
  dir.write("hf/hub/models--gpt2/snapshots/abc/config.json", "{}");
  dir.write("home/.cache/huggingface/hub/models--a--b/snapshots/abc/config.json", "{}");
  const ScopedEnvironment noCache("HF_HUB_CACHE", "");
  const ScopedEnvironment hfHome("HF_HOME", (dir / "hf").string());
  const ScopedEnvironment home("HOME", (dir / "home").string());
  EXPECT_EQ(resolveModelPath(studyOf("", "gpt2")).value(),
            dir / "hf/hub/models--gpt2/snapshots/abc");
  EXPECT_EQ(resolveModelPath(studyOf("", "a/b")).value(),
            dir / "home/.cache/huggingface/hub/models--a--b/snapshots/abc");
}

TEST(ModelPath, ExpandsTheHomeFolder) {
  const test::TempDir dir;
  dir.write("m/config.json", "{}");
  const ScopedEnvironment home("HOME", dir.path().string());
  EXPECT_EQ(resolveModelPath(studyOf("", "~/m")).value(), dir / "m");
}

TEST(ModelPath, DoesNotFollowARevisionOutOfTheCache) {
  const test::TempDir dir;
  dir.write("secret/config.json", "{}");
  dir.write("hub/models--a--b/refs/main", "../../../secret");
  dir.write("hub/models--a--b/snapshots/one/config.json", "{}");
  dir.write("hub/models--a--b/snapshots/two/config.json", "{}");
  const ScopedEnvironment cache("HF_HUB_CACHE", (dir / "hub").string());
  EXPECT_FALSE(resolveModelPath(studyOf("", "a/b")).has_value());
}

TEST(ModelPath, ListsWhereItLooked) {
  const ScopedEnvironment cache("HF_HUB_CACHE", "/nowhere/hub");
  const auto path = resolveModelPath(studyOf("/studies/s.yaml", "org/name"));
  ASSERT_FALSE(path.has_value());
  EXPECT_EQ(path.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(path.error().message(), HasSubstr("model.path 'org/name' not found; looked for"));
  EXPECT_THAT(path.error().message(), HasSubstr("/studies/org/name"));
  EXPECT_THAT(path.error().message(), HasSubstr("/nowhere/hub/models--org--name"));
}

}  // namespace
}  // namespace ulp::study
