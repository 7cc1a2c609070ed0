#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "core/base/result.h"
#include "runner/worker/events/events.h"

namespace ulp::worker {

inline constexpr std::string_view kJournalFile = "events.jsonl";

/// `events.jsonl` of a run folder: one event a line, handed to the system before append() returns,
/// so that a killed worker loses none. Not thread-safe.
class Journal {
 public:
  /// Opens `path` to append; a last line that an earlier worker did not finish is closed first.
  /// Errors: Io with the path.
  [[nodiscard]] static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& path);

  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Errors: Io with the path (no space).
  [[nodiscard]] Result<> append(const Event& event);

 private:
  Journal(std::filesystem::path path, int descriptor);

  std::filesystem::path m_path;
  int m_descriptor;
};

}  // namespace ulp::worker
