#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "core/remote/jobs/job_folder.h"
#include "core/remote/protocol/frame.h"

namespace ulp::remote {

/// Up to where somebody knows a job already, so that a lost connection loses nothing.
struct KnownOfJob {
  std::uint64_t events = 0;    ///< bytes of the attempt's `events`
  std::uint64_t messages = 0;  ///< of `messages`
  /// Bytes of each file that grows.
  std::map<std::string, std::uint64_t, std::less<>> appended{};
  /// Which state of each file that is replaced: FileStamp::text.
  std::map<std::string, std::string, std::less<>> replaced{};
};
[[nodiscard]] json::Value toJson(const KnownOfJob& known);
[[nodiscard]] KnownOfJob knownIn(const json::Value& value);

/// Tells one state of a file from another: size, time and number; empty: there is no file.
[[nodiscard]] std::string fileStamp(const std::filesystem::path& file);

/// Looks at a job's files again and again and says what is new. In this order: what the worker
/// said comes after the files that it speaks of.
class JobWatch {
 public:
  JobWatch(JobFolder job, KnownOfJob known) : m_job(std::move(job)), m_known(std::move(known)) {}

  /// What is new, about a megabyte at most. Last of all, once, a frame that says "complete".
  [[nodiscard]] std::vector<Frame> glance();
  /// Whether the last glance left something out.
  [[nodiscard]] bool hasMore() const { return m_hasMore; }
  [[nodiscard]] bool isComplete() const { return m_isComplete; }

 private:
  using Clock = std::chrono::steady_clock;

  void append(const std::filesystem::path& file,
              std::string_view name,
              std::uint64_t& known,
              bool inWholeLines);
  void replace(const std::filesystem::path& folder, std::string_view name);
  void sayProgress(const std::filesystem::path& folder);
  void sayState(const JobState& state);
  void sayMemory(const std::filesystem::path& folder);
  void add(json::Object head, std::string bytes = {});

  JobFolder m_job;
  KnownOfJob m_known;
  std::vector<Frame> m_frames;
  std::size_t m_bytes = 0;
  bool m_hasMore = false;
  bool m_isComplete = false;
  std::string m_progress;  ///< stamp of what was said last
  std::string m_phase;
  Clock::time_point m_said{};
  Clock::time_point m_measured{};
  /// The file that is being sent: one state of it, whatever takes its place.
  struct Sending {
    std::string name;
    std::string stamp;
    FileDescriptor file;
    std::uint64_t size = 0;
    std::uint64_t sent = 0;
  };
  std::optional<Sending> m_sending;
};

}  // namespace ulp::remote
