#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/value.h"

namespace ulp::cli {

/// What the processes of a program that is recorded have said of it, all together.
struct RecordState {
  struct Rank {
    std::int64_t step = 0;  ///< that runs
    std::int64_t done = 0;  ///< steps that are over
    std::int64_t tensors = 0;
    std::int64_t bytes = 0;  ///< of elements that are kept
    bool hasEnded = false;
  };

  bool hasTorch = false;
  std::map<std::int64_t, Rank> ranks{};
  std::int64_t idleRanks = 0;  ///< that are not to be recorded
  std::int64_t evaluations = 0;
  std::vector<std::string> problems{};  ///< why a process does not record, or no more
  std::string nothing{};                ///< why no model was found, where that is known

  [[nodiscard]] std::int64_t tensors() const;
  [[nodiscard]] std::int64_t bytes() const;
  /// That every rank has finished.
  [[nodiscard]] std::int64_t steps() const;
};

/// Reads the file that the processes add lines to.
class RecordEvents {
 public:
  explicit RecordEvents(std::filesystem::path file) : m_file(std::move(file)) {}

  /// Takes in what is new. True: something is.
  bool read();
  [[nodiscard]] const RecordState& state() const { return m_state; }

 private:
  void take(std::string_view line);
  void takeCounts(const json::Value& event);

  std::filesystem::path m_file;
  std::uint64_t m_end = 0;  ///< of what was read
  std::string m_begun{};    ///< a line that is not complete
  RecordState m_state;
};

}  // namespace ulp::cli
