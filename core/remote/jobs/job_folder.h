#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "core/json/value.h"
#include "core/remote/jobs/process_identity.h"

namespace ulp::remote {

/// A study that a host was asked to run, and how: every attempt of one job writes to one folder of
/// results.
struct JobOrder {
  std::string job;     ///< a name that no other job has: letters, digits, - and _
  int attempt = 1;     ///< from 1; the next one continues what the last one left
  std::string study;   ///< name of the file in the job's folder `study`
  std::string output;  ///< folder of the results, from the home or the root; empty: the job's own
  std::vector<std::string> options{};  ///< of `ulpscope-cli run`, behind study and output
};

enum class JobPhase : std::uint8_t {
  Unknown,  ///< there is no such job, or attempt
  Running,
  Over,  ///< with JobState::end
  Lost   ///< it ended without a word: killed with all that watched it, or the machine was restarted
};
[[nodiscard]] std::string_view toString(JobPhase phase);
[[nodiscard]] JobPhase phaseNamed(std::string_view name);

struct JobEnd {
  int exitCode = -1;  ///< -1: ended by a signal
  int signal = 0;
};

struct JobState {
  JobPhase phase = JobPhase::Unknown;
  int attempt = 0;  ///< the newest one
  std::string output;
  std::optional<JobEnd> end{};
};

/// What a host keeps of a job, below ~/.local/share/ulpscope/jobs: `study` with what was sent,
/// `run` with the results unless they are elsewhere, and for each attempt a folder of its number:
/// `order.json`, `events` (what the worker said, without progress), `progress` (the last of it),
/// `messages` (standard error), `processes.json`, `end.json`, `control`, and `lock`, which is
/// locked as long as anything of the attempt lives.
class JobFolder {
 public:
  /// Error: InvalidArgument for what is no name of a job.
  [[nodiscard]] static Result<JobFolder> of(const std::string& job);
  /// The same below another folder, for tests.
  [[nodiscard]] static Result<JobFolder> below(const std::filesystem::path& root,
                                               const std::string& job);

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  [[nodiscard]] std::filesystem::path studyFolder() const { return m_path / "study"; }
  [[nodiscard]] std::filesystem::path attemptFolder(int attempt) const {
    return m_path / std::to_string(attempt);
  }
  /// The newest attempt; 0: there is none.
  [[nodiscard]] int lastAttempt() const;
  [[nodiscard]] JobState state() const;
  /// Where the results of an order go.
  [[nodiscard]] std::filesystem::path outputOf(const JobOrder& order) const;

  /// Makes the folder of an attempt and locks it; the lock goes on to who inherits the descriptor.
  /// Nothing: somebody else made the attempt. Errors: InvalidArgument, not the next attempt, or the
  /// last one runs yet; Io.
  [[nodiscard]] Result<std::optional<FileDescriptor>> begin(const JobOrder& order) const;
  [[nodiscard]] Result<JobOrder> order(int attempt) const;
  /// Tells the attempt's worker to end, as Ctrl-C does; whoever watches it tells it more firmly
  /// where it does not. Nothing happens where it has ended.
  [[nodiscard]] Result<> cancel() const;
  /// Asks the worker to leave a variant out. Error: NotFound, nothing runs.
  [[nodiscard]] Result<> skip(const std::string& variant) const;
  /// Removes what is kept of a job that is over. Error: InvalidArgument, it runs yet.
  [[nodiscard]] Result<> remove() const;

 private:
  explicit JobFolder(std::filesystem::path path) : m_path(std::move(path)) {}

  std::filesystem::path m_path;
};

/// A job, for who tidies up.
struct KeptJob {
  std::string job;
  JobState state;
  std::string study;            ///< name of its file
  std::int64_t begun = 0;       ///< seconds since 1970
  std::uint64_t bytes = 0;      ///< below its folder
  bool hasResultsHere = false;  ///< they lie below its folder, and go with it
};
/// All jobs of this user on this machine, the newest first.
[[nodiscard]] Result<std::vector<KeptJob>> keptJobs();

/// Names of an attempt's files.
inline constexpr std::string_view kOrderFile = "order.json";
inline constexpr std::string_view kEventsFile = "events";
inline constexpr std::string_view kProgressFile = "progress";
inline constexpr std::string_view kMessagesFile = "messages";
inline constexpr std::string_view kProcessesFile = "processes.json";
inline constexpr std::string_view kEndFile = "end.json";
inline constexpr std::string_view kControlFile = "control";
inline constexpr std::string_view kJobLock = "lock";

/// The folder that programs keep data of this user in: $XDG_DATA_HOME/ulpscope, or below the home.
/// Error: NotFound, the user has no home.
[[nodiscard]] Result<std::filesystem::path> dataFolder();

[[nodiscard]] json::Value toJson(const JobOrder& order);
/// Error: CorruptData.
[[nodiscard]] Result<JobOrder> orderIn(const json::Value& value);

}  // namespace ulp::remote
