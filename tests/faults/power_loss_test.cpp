// What a loss of power may leave of what the programs write, at every moment.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_descriptor.h"
#include "core/base/files/folders.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/report.h"
#include "core/tensors/store/capture_reader.h"
#include "core/tensors/store/sample_reader.h"
#include "tests/faults/commands_fixture.h"
#include "tests/faults/crash_states.h"
#include "tests/faults/file_calls.h"

namespace ulp::test {
namespace {

namespace fs = std::filesystem;
using report::RunStatus;

constexpr const char* kReportFile = "precision_report.json";
constexpr const char* kReportPath = "run/precision_report.json";

/// Looks at what a study may leave, where the study wrote to "run".
class StudyStates {
 public:
  StudyStates(const FileTree& before, const std::vector<FileCall>& calls, const fs::path& finished)
      : m_versions(versionsOf(before, calls)),
        m_final(report::loadReport(finished)->report),
        m_metric(m_final->metrics.front().id) {
    for (const report::Run& run : m_final->runs) {
      if (run.name != m_final->reference && m_final->provenance.samples > 1) {
        m_samples.emplace(run.name, *tensors::readSamples(finished, run.name, m_metric));
      }
    }
  }

  /// Whether a file counts for what readers of the folder see.
  static bool isRead(const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    return name == "samples.h5" || !(kGrowing.contains(name) || isUnfinishedName(name));
  }

  /// Nothing that has a name is half of what it should be, and no report that lasted is lost.
  void checkNames(const FileTree& tree, std::size_t done) const {
    tree.eachFile([&](const std::string& path, const FileTree::Node& node) {
      const std::string name = fs::path(path).filename().string();
      if (!isUnfinishedName(name) && !kGrowing.contains(name)) {
        ASSERT_TRUE(std::ranges::any_of(m_versions,
                                        [&](const Version& version) {
                                          return version.path == path &&
                                                 version.content->bytes == node.content->bytes;
                                        }))
            << path << " after " << done << " calls: " << node.content->bytes.size() << " bytes";
      }
    });
    const FileTree::Node* const report = tree.find(kReportPath);
    std::vector<FileTree::Content> right;
    bool mustBeThere = false;
    for (const Version& version : m_versions) {
      if (version.path != kReportPath) {
        continue;
      }
      if (version.lastsFrom <= done) {
        mustBeThere = true;
        right.clear();
      }
      right.push_back(version.content);
    }
    const bool isRight = report == nullptr
                             ? !mustBeThere
                             : std::ranges::any_of(right, [&](const FileTree::Content& each) {
                                 return each->bytes == report->content->bytes;
                               });
    ASSERT_TRUE(isRight) << "the report is lost, or an old one, after " << done << " calls";
  }

  /// The programs open what is there, and whatever the report calls finished is there.
  void checkReading(const FileTree& tree, const fs::path& folder) {
    if (!fs::exists(folder / kReportFile)) {
      return;
    }
    const auto loaded = report::loadReport(folder);
    ASSERT_TRUE(loaded) << loaded.error().message();
    const std::set<std::string>& stored = runsWithTensors(tree, folder);
    for (const report::Run& run : loaded->report->runs) {
      const report::Run* const finished = m_final->findRun(run.name);
      if (run.status == RunStatus::Finished) {
        ++m_finished;
        ASSERT_EQ(run.loss, finished->loss);
        ASSERT_EQ(run.comparisons.size(), finished->comparisons.size());
        ASSERT_TRUE(stored.contains(run.name)) << "the tensors of " << run.name;
        const auto logs = report::readLogProbabilities(folder);
        ASSERT_TRUE(logs) << logs.error().message();
        ASSERT_TRUE(std::ranges::any_of(
            *logs, [&](const report::LogProbabilities& each) { return each.name == run.name; }));
      }
      if (const auto whole = m_samples.find(run.name); whole != m_samples.end()) {
        checkSamples(tree, folder, run, whole->second);
      }
    }
  }

  /// What a study that goes on must end with.
  [[nodiscard]] const report::Report& wanted() const { return *m_final; }
  [[nodiscard]] std::size_t finished() const { return m_finished; }

 private:
  /// Files of HDF5 are read by a program of their own, and are the same in many states.
  const std::set<std::string>& runsWithTensors(const FileTree& tree, const fs::path& folder) {
    const std::string files = tree.textOf("run/tensors") + tree.textOf("run/tensors.h5");
    const auto [known, isNew] = m_stored.try_emplace(std::hash<std::string>()(files));
    if (isNew) {
      const auto captures = tensors::CaptureReader::open(folder);
      EXPECT_TRUE(captures && (*captures)->problems().empty());
      for (const tensors::StoredCapture& capture :
           captures ? (*captures)->captures() : std::vector<tensors::StoredCapture>()) {
        known->second.insert(capture.run);
      }
    }
    return known->second;
  }

  void checkSamples(const FileTree& tree,
                    const fs::path& folder,
                    const report::Run& run,
                    const tensors::SampleTable& whole) {
    const std::string file = tree.textOf("run/samples.h5");
    const bool isNew =
        m_seen.insert(std::hash<std::string>()(file + run.name + std::to_string(run.samples)))
            .second;
    if (!isNew) {
      return;
    }
    const auto table = tensors::readSamples(folder, run.name, m_metric);
    ASSERT_TRUE(table) << table.error().message();
    if (run.status == RunStatus::Finished) {
      ASSERT_GE(table->samples.size(), run.samples) << run.name;
    }
    for (std::size_t i = 0; i < table->samples.size(); ++i) {
      for (std::size_t row = 0; row < table->rows.size(); ++row) {
        const double value = table->at(i, row);
        const double right = whole.at(table->samples[i], row);
        ASSERT_TRUE(value == right || (std::isnan(value) && std::isnan(right)))
            << run.name << " sample " << table->samples[i] << " row " << row;
      }
    }
  }

  /// Written where they are: a line, or a sample, at a time.
  inline static const std::set<std::string> kGrowing{
      "events.jsonl", "run.log", "samples.h5", ".ulpscope.lock"};

  std::vector<Version> m_versions;
  report::ReportPtr m_final;
  std::string m_metric;
  std::map<std::string, tensors::SampleTable> m_samples;
  std::map<std::size_t, std::set<std::string>> m_stored;  ///< runs, by the content of files
  std::set<std::size_t> m_seen;
  std::size_t m_finished = 0;
};

class PowerLoss : public CommandsTest {
 protected:
  struct Recorded {
    FileTree before;
    std::vector<FileCall> calls;
  };

  /// Checks that the record is complete: played again it gives what is there.
  template <class Action>
  Recorded record(const Action& action) {
    const FileCalls calls(m_disk.path());
    action();
    const FileTree after = afterAll(calls.before(), calls.calls());
    std::size_t files = 0;
    after.eachFile([&](const std::string& path, const FileTree::Node& node) {
      ++files;
      EXPECT_EQ(contentOf(m_disk / path), node.content->bytes) << path;
    });
    std::size_t there = 0;
    for (const auto& entry : fs::recursive_directory_iterator(m_disk.path())) {
      there += entry.is_regular_file() ? 1 : 0;
    }
    EXPECT_EQ(files, there);
    return {calls.before(), calls.calls()};
  }

  void checkStudy(const std::vector<std::string>& options) {
    const Recorded recorded = record([&] { EXPECT_EQ(study(m_disk / "run", options).code, 0); });
    StudyStates states(recorded.before, recorded.calls, m_disk / "run");
    std::set<std::size_t> seen;
    std::set<std::size_t> read;
    std::size_t resumed = 0;
    const std::size_t checked = eachCrashState(
        recorded.before, recorded.calls, [&](const FileTree& tree, std::size_t done) {
          states.checkNames(tree, done);
          constexpr std::size_t kOneIn = 80;
          const bool isNew = seen.insert(tree.signature()).second;
          const bool isResumed = isNew && seen.size() % kOneIn == 0;
          const bool isRead = read.insert(tree.signature(&StudyStates::isRead)).second;
          const TempDir left;
          if (isRead || isResumed) {
            tree.writeTo(left.path());
          }
          if (isRead) {
            states.checkReading(tree, left / "run");
          }
          if (isResumed) {
            ++resumed;
            auto again = options;
            again.emplace_back("--resume");
            const Ended ended = study(left / "run", again);
            ASSERT_EQ(ended.code, 0) << ended.err << "after " << done << " calls";
            EXPECT_EQ(valuesOf(*report::loadReport(left / "run")->report),
                      valuesOf(states.wanted()));
            EXPECT_TRUE(leftoversIn(left / "run").empty()) << leftoversIn(left / "run").front();
          }
        });
    EXPECT_GT(states.finished(), 0U);
    tell("a study", recorded, checked);
    std::printf("  %zu with other results opened, %zu resumed\n", read.size(), resumed);
  }

  /// Whatever is left, `target` is what it was or what it became, and in the end the latter.
  void checkOldOrNew(const std::string& what,
                     const std::string& target,
                     const std::function<void()>& action) {
    const Recorded recorded = record(action);
    const std::string before = recorded.before.textOf(target);
    const std::string after = afterAll(recorded.before, recorded.calls).textOf(target);
    ASSERT_NE(before, after);
    const std::size_t checked = eachCrashState(
        recorded.before, recorded.calls, [&](const FileTree& tree, std::size_t done) {
          const std::string left = tree.textOf(target);
          ASSERT_TRUE(left == after || left == before) << what << " after " << done << " calls";
          if (done == recorded.calls.size()) {
            ASSERT_EQ(left, after) << what << " was finished";
          }
        });
    tell(what, recorded, checked);
  }

  static void tell(const std::string& what, const Recorded& recorded, std::size_t checked) {
    std::printf("%s: %zu calls, %zu states that a loss of power may leave\n",
                what.c_str(),
                recorded.calls.size(),
                checked);
  }

  TempDir m_disk;
};

TEST_F(PowerLoss, AStudyKeepsWhatItsReportCallsFinished) {
  checkStudy({});
}

TEST_F(PowerLoss, AStudyOfSeveralSamplesKeepsThoseThatAreFinished) {
  checkStudy({"--set", "input.sequences=2", "--set", "capture.tensors=sampled"});
}

/// The states tell a program that waits for the disk from ones that leave something out.
TEST_F(PowerLoss, IsNoticedWhereAFileOrItsFolderIsNotWaitedFor) {
  for (const bool isFile : {true, false}) {
    for (const bool isFolder : {true, false}) {
      const TempDir disk;
      disk.write("x", "old");
      const FileCalls calls(disk.path());
      {
        const FileDescriptor file(
            ::open((disk / "part").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        ASSERT_EQ(::write(file.get(), "new", 3), 3);
        ASSERT_TRUE(!isFile || ::fsync(file.get()) == 0);
      }
      ASSERT_EQ(::rename((disk / "part").c_str(), (disk / "x").c_str()), 0);
      ASSERT_TRUE(!isFolder || syncFolder(disk.path()));
      std::set<std::string> contents;
      std::set<std::string> atTheEnd;
      eachCrashState(calls.before(), calls.calls(), [&](const FileTree& tree, std::size_t done) {
        const std::string content = tree.find("x")->content->bytes;
        contents.insert(content);
        if (done == calls.calls().size()) {
          atTheEnd.insert(content);
        }
      });
      EXPECT_EQ(contents.contains("") && contents.contains("n"), !isFile);
      EXPECT_EQ(atTheEnd.contains("old"), !isFolder);
      EXPECT_TRUE(contents.contains("old") && contents.contains("new"));
    }
  }
}

TEST_F(PowerLoss, ASavedFileIsTheOldOrTheNewOne) {
  m_disk.write("study.yaml", "the old text");
  checkOldOrNew("a saved file", "study.yaml", [this] {
    EXPECT_TRUE(writeFileAtomically(m_disk / "study.yaml", "the new text, which is longer"));
  });
}

TEST_F(PowerLoss, ASavedFileBehindALinkIsTheOldOrTheNewOne) {
  m_disk.write("dotfiles/study.yaml", "the old text");
  const TempDir elsewhere;
  fs::create_symlink(m_disk / "dotfiles/study.yaml", elsewhere / "study.yaml");
  checkOldOrNew("a saved file behind a link", "dotfiles/study.yaml", [&] {
    EXPECT_TRUE(writeFileAtomically(elsewhere / "study.yaml", "the new text", LinkPolicy::Follow));
  });
}

TEST_F(PowerLoss, AnExportedFolderIsThereAsAWholeOrNotAtAll) {
  const fs::path run = finishedRun();
  for (const char* format : {"npy", "safetensors", "msprobe"}) {
    const std::string target = std::string("to_") + format;
    checkOldOrNew(target, target, [&] {
      const Ended ended =
          command({"export", run.string(), (m_disk / target).string(), "--to", format, "--quiet"});
      EXPECT_EQ(ended.code, 0) << ended.err;
    });
  }
}

TEST_F(PowerLoss, AnExportedFolderThatReplacesAnEarlierOneIsNeverMissing) {
  const fs::path run = finishedRun();
  const std::vector<std::string> words{
      "export", run.string(), (m_disk / "out").string(), "--to", "npy", "--quiet"};
  ASSERT_EQ(command(words).code, 0);
  checkOldOrNew("a replaced export", "out", [&] {
    auto again = words;
    again.insert(again.end(), {"--overwrite", "--run", "bf16"});
    const Ended ended = command(again);
    EXPECT_EQ(ended.code, 0) << ended.err;
  });
}

TEST_F(PowerLoss, AComparisonsReportIsThereAsAWholeOrNotAtAll) {
  const fs::path run = finishedRun();
  checkOldOrNew("a comparison", std::string("report/") + kReportFile, [&] {
    const Ended ended = command({"compare",
                                 run.string() + "#reference",
                                 run.string() + "#bf16",
                                 "--report",
                                 (m_disk / "report").string(),
                                 "--quiet"});
    EXPECT_EQ(ended.code, 0) << ended.err;
  });
}

}  // namespace
}  // namespace ulp::test
