#include "runner/cluster/cluster_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "tests/app/cli/cli_process.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kStudy = R"(model: {path: model}
input: {sequence_length: 5, sequences: 4}
noise_floor: [repeat]
device: cpu
variants:
  bf16: {precision.compute_dtype: bfloat16}
  fp16: {precision.compute_dtype: float16}
)";

class ClusterRunTest : public testing::Test {
 protected:
  ClusterRunTest() {
    m_folder.write("study.yaml", kStudy);
    m_request.study = m_folder / "study.yaml";
    m_request.output = m_folder / "run";
  }

  test::TempDir m_folder;
  SubmitRequest m_request;
};

TEST_F(ClusterRunTest, ComesBackAsItWasWritten) {
  m_request.sets = {"input.seed=7"};
  m_request.samplesPerTask = 3;
  m_request.threads = 2;
  m_request.options = {"--partition=a b", "--time=1:00"};
  m_request.sharesReference = true;
  auto made = makeClusterRun(m_request, "/bin/ulpscope-cli");
  ASSERT_TRUE(made) << made.error().message();
  made->submissions = {{"12", {0, 1}}, {"13", {2, 3, 4, 5}}, {"14", {}, true}, {"20", {3}}};
  ASSERT_TRUE(saveClusterRun(*made));
  const auto loaded = loadClusterRun(m_folder / "run");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->tasks, made->tasks);
  EXPECT_EQ(loaded->tasks.size(), 8U);
  EXPECT_EQ(loaded->options, m_request.options);
  EXPECT_EQ(loaded->threads, 2);
  EXPECT_EQ(loaded->jobOf(2), "13");
  EXPECT_EQ(loaded->jobOf(3), "20");
  EXPECT_EQ(loaded->jobOf(7), "");
  const auto study = loaded->study();
  ASSERT_TRUE(study) << study.error().message();
  EXPECT_EQ(study->seed, 7U);
  EXPECT_EQ(study->file, m_request.study);
  using Reference = worker::StudyPart::Reference;
  EXPECT_EQ(loaded->partOf(0).reference, Reference::Shares);
  EXPECT_TRUE(loaded->partOf(0).keepsReference);
  EXPECT_EQ(loaded->partOf(4).reference, Reference::Shared);
  EXPECT_THAT(loaded->partOf(4).runs, ElementsAre("floor.repeat"));
}

TEST_F(ClusterRunTest, KnowsTheRanksOfEachTask) {
  m_folder.write("study.yaml", R"(model: {path: model}
engine: python
device: cpu
precision.compute_dtype: float32
python.ranks: 2
variants:
  four: {python.ranks: 4, python.launcher: srun}
  one: {python.ranks: 1}
)");
  const auto alone = makeClusterRun(m_request, "/bin/ulpscope-cli");
  ASSERT_TRUE(alone) << alone.error().message();
  const auto loaded = loadClusterRun(m_folder / "run");
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->tasks.size(), 2U);
  EXPECT_EQ(loaded->tasks, alone->tasks);
  EXPECT_EQ(loaded->tasks[0].need, (TaskNeed{4, true}));
  // It makes the reference on two ranks.
  EXPECT_EQ(loaded->tasks[1].need, (TaskNeed{2, false}));
  m_request.sharesReference = true;
  const auto shared = planClusterRun(m_request);
  ASSERT_TRUE(shared) << shared.error().message();
  ASSERT_EQ(shared->tasks.size(), 3U);
  EXPECT_EQ(shared->tasks[0].need, (TaskNeed{2, false}));
  EXPECT_EQ(shared->tasks[2].need, TaskNeed{});
}

TEST_F(ClusterRunTest, KeepsTheStudyAsItWas) {
  const auto made = makeClusterRun(m_request, "/bin/ulpscope-cli");
  ASSERT_TRUE(made);
  m_folder.write("study.yaml", "broken: [");
  const auto loaded = loadClusterRun(m_folder / "run");
  ASSERT_TRUE(loaded);
  const auto study = loaded->study();
  ASSERT_TRUE(study) << study.error().message();
  EXPECT_EQ(study->text, kStudy);
}

TEST_F(ClusterRunTest, RefusesAFolderThatHoldsResults) {
  ASSERT_TRUE(makeClusterRun(m_request, "/bin/ulpscope-cli"));
  const auto again = makeClusterRun(m_request, "/bin/ulpscope-cli");
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message(), HasSubstr("--again"));
  m_request.output = m_folder / "other";
  m_folder.write("other/precision_report.json", "{}");
  const auto other = makeClusterRun(m_request, "/bin/ulpscope-cli");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("holds results already"));
}

TEST_F(ClusterRunTest, NamesAVariantThatThereIsNot) {
  m_request.variants = {"fp32"};
  const auto made = makeClusterRun(m_request, "/bin/ulpscope-cli");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), ErrorCode::NotFound);
  EXPECT_FALSE(std::filesystem::exists(m_folder / "run"));
}

TEST_F(ClusterRunTest, ReadsNoImpossibleFile) {
  EXPECT_EQ(loadClusterRun(m_folder / "none").error().code(), ErrorCode::NotFound);
  m_folder.write("bad/cluster.json", "{\"schema\": \"ulpscope.cluster/9\"}");
  EXPECT_EQ(loadClusterRun(m_folder / "bad").error().code(), ErrorCode::Unsupported);
  m_folder.write("bad/cluster.json", "{\"schema\": \"ulpscope.cluster/1\", \"tasks\": 3}");
  EXPECT_EQ(loadClusterRun(m_folder / "bad").error().code(), ErrorCode::CorruptData);
  m_folder.write("bad/cluster.json",
                 R"({"schema": "ulpscope.cluster/1", "tasks": [{"run": "a", "samples": 1}],
                     "jobs": [{"job": "1", "tasks": [4]}]})");
  EXPECT_EQ(loadClusterRun(m_folder / "bad").error().code(), ErrorCode::CorruptData);
}

TEST_F(ClusterRunTest, RemembersHowATaskEnded) {
  const auto run = makeClusterRun(m_request, "/bin/ulpscope-cli");
  ASSERT_TRUE(run);
  EXPECT_EQ(readTaskEnd(*run, 1)->has_value(), false);
  ASSERT_TRUE(
      writeTaskEnd(*run, 1, {.exitCode = 3, .status = "failed", .error = "a\nb", .node = "n"}));
  const auto end = readTaskEnd(*run, 1);
  ASSERT_TRUE(end && end->has_value());
  EXPECT_EQ((*end)->exitCode, 3);
  EXPECT_EQ((*end)->error, "a\nb");
  ASSERT_TRUE(forgetTaskEnd(*run, 1));
  EXPECT_EQ(readTaskEnd(*run, 1)->has_value(), false);
  ASSERT_TRUE(forgetTaskEnd(*run, 1));
}

// What the shell makes of a script is asked of the shell.
TEST_F(ClusterRunTest, ScriptsStartTheProgramWhateverItsPathHolds) {
  const std::string odd = (m_folder / "it's $HOME `id` \"x\" \\ ;").string();
  m_folder.write("program", "#!/bin/sh\nfor word in \"$@\"; do echo \"<$word>\"; done\n");
  const std::filesystem::path program = m_folder / "pro'gram $x";
  std::filesystem::rename(m_folder / "program", program);
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  ASSERT_TRUE(writeFileAtomically(m_folder / "task.sh", taskScript(program, odd)));
  const std::string command = "SLURM_ARRAY_TASK_ID=17 sh " +
                              test::shellQuoted((m_folder / "task.sh").string()) + " >" +
                              test::shellQuoted((m_folder / "out").string());
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(test::contentOf(m_folder / "out"),
            "<task>\n<" + odd + ">\n<17>\n<--progress>\n<plain>\n");
}

TEST(ShellWords, AreThoseOfAShell) {
  EXPECT_THAT(*shellWords(R"(--time=1:00  --comment='it is' a"b c"d \"x)"),
              ElementsAre("--time=1:00", "--comment=it is", "ab cd", "\"x"));
  EXPECT_THAT(*shellWords("'$HOME' ''"), ElementsAre("$HOME", ""));
  EXPECT_THAT(*shellWords("  "), testing::IsEmpty());
  EXPECT_FALSE(shellWords("--comment='x"));
}

}  // namespace
}  // namespace ulp::cluster
