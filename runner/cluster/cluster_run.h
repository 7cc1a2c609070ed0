#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/study/reading/study.h"
#include "runner/cluster/task_plan.h"
#include "runner/worker/parts/study_part.h"

namespace ulp::cluster {

/// Jobs of Slurm that were submitted together.
struct Submission {
  std::string job;                 ///< number of the array
  std::vector<std::size_t> tasks;  ///< of the array
  bool isMerge = false;            ///< the job that puts the results together
};

/// A study that was divided into tasks: `cluster.json` of a folder that all nodes see. The study
/// is kept as it was read, so that an edit of its file changes nothing.
struct ClusterRun {
  std::filesystem::path folder;      ///< absolute
  std::filesystem::path studyFile;   ///< as it was named, in the working folder
  std::filesystem::path workingDir;  ///< from which it was submitted, and in which tasks run
  std::string studyText;
  std::vector<std::string> sets;      ///< KEY=VALUE
  std::vector<std::string> variants;  ///< chosen ones; empty: all
  std::string device;                 ///< empty: the study's
  int threads = 0;                    ///< 0: one a core
  std::vector<std::string> options;   ///< for sbatch
  bool sharesReference = false;
  std::vector<Task> tasks;
  std::vector<Submission> submissions{};  ///< in order

  [[nodiscard]] std::filesystem::path taskFolder(std::size_t task) const;
  [[nodiscard]] std::filesystem::path logFile(std::size_t task) const;
  [[nodiscard]] std::filesystem::path references() const { return folder / "references"; }
  [[nodiscard]] worker::StudyPart partOf(std::size_t task) const;
  /// Empty: the study's.
  [[nodiscard]] const std::string& deviceOf(std::size_t task) const;
  /// The number of the array that a task was submitted with last; empty: it was not.
  [[nodiscard]] std::string jobOf(std::size_t task) const;
  /// Errors: those of study::loadStudy().
  [[nodiscard]] Result<study::Study> study() const;
};

/// Says what is gone of the results of a task that ended well, beside what others still need of it;
/// empty: nothing.
[[nodiscard]] std::string lostResults(const ClusterRun& run,
                                      std::size_t task,
                                      bool areReferencesNeeded);

inline constexpr std::string_view kClusterFile = "cluster.json";

/// What a study is submitted with.
struct SubmitRequest {
  std::filesystem::path study;
  std::filesystem::path output{};  ///< empty: the study's
  std::vector<std::string> sets{};
  std::vector<std::string> variants{};
  std::string device{};
  int threads = 0;
  std::uint64_t samplesPerTask = 0;
  bool sharesReference = false;
  std::vector<std::string> options{};  ///< for sbatch
};

/// Reads a study and divides it into tasks; writes nothing. Errors: those of study::loadStudy() and
/// of planTasks(); NotFound for a variant that there is not.
[[nodiscard]] Result<ClusterRun> planClusterRun(const SubmitRequest& request);

/// Plans a run and writes the folder of the run: `cluster.json`, a
/// folder for the tasks, and the scripts of the jobs, which start `program`. Errors: those of
/// planClusterRun(); InvalidArgument where the folder holds results or tasks already; Io.
[[nodiscard]] Result<ClusterRun> makeClusterRun(const SubmitRequest& request,
                                                const std::filesystem::path& program);

/// Reads `cluster.json` of a folder. Errors: NotFound, with the remedy; CorruptData; Unsupported
/// for a newer version; Io.
[[nodiscard]] Result<ClusterRun> loadClusterRun(const std::filesystem::path& folder);
/// Errors: Io.
[[nodiscard]] Result<> saveClusterRun(const ClusterRun& run);

/// How an attempt at a task ended: `end.json` of its folder.
struct TaskEnd {
  int exitCode = 0;
  std::string status;  ///< finished, failed, cancelled
  std::string error{};
  std::string node{};
};
/// Nothing: it has not ended by itself since it was begun. Errors: CorruptData, Io.
[[nodiscard]] Result<std::optional<TaskEnd>> readTaskEnd(const ClusterRun& run, std::size_t task);
/// Errors: Io.
[[nodiscard]] Result<> writeTaskEnd(const ClusterRun& run, std::size_t task, const TaskEnd& end);
/// Forgets how the last attempt ended. Errors: Io.
[[nodiscard]] Result<> forgetTaskEnd(const ClusterRun& run, std::size_t task);
/// Tells whether a task has begun to write to its folder.
[[nodiscard]] bool hasBegun(const ClusterRun& run, std::size_t task);

/// Takes a line apart as a shell does, with quotes and backslashes, and expands nothing. Error:
/// InvalidArgument for a quote without its end.
[[nodiscard]] Result<std::vector<std::string>> shellWords(std::string_view line);
/// The script of the tasks' jobs, and of the job that puts their results together. Each starts
/// `program`; nothing in a path is read as anything but a path.
[[nodiscard]] std::string taskScript(const std::filesystem::path& program,
                                     const std::filesystem::path& folder);
[[nodiscard]] std::string mergeScript(const std::filesystem::path& program,
                                      const std::filesystem::path& folder);
inline constexpr std::string_view kTaskScript = "task.sh";
inline constexpr std::string_view kMergeScript = "merge.sh";
/// Log of the job that puts results together.
inline constexpr std::string_view kMergeLog = "merge.log";

}  // namespace ulp::cluster
