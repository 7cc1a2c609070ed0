#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/json/value.h"

namespace ulp::cli {

/// What `record` is asked for; empty: not said, so that a configuration or the recorder decides.
struct RecordWishes {
  std::string folder{};
  std::string config{};  ///< a config.json of msprobe's
  std::string level{};
  std::string task{};
  std::string modules{};
  std::vector<std::string> list{};
  std::vector<std::string> scope{};  ///< the first and the last
  std::vector<std::string> dataMode{};
  std::string ranks{};   ///< "0,2-3"
  std::string steps{};   ///< the same
  std::string tokens{};  ///< "2:5", "2:", ":5"
  std::string stepsBy{};
  bool hasStack = false;
  bool hasWeights = false;
};

/// Where the recording will be: as wished, else as the configuration says. Errors: NotFound,
/// CorruptData (no JSON), InvalidArgument where neither names a folder, or where a recording is.
[[nodiscard]] Result<std::filesystem::path> recordFolder(const RecordWishes& wishes);

/// The same in the words of resources/python/ulpscope_record. Errors: InvalidArgument, which names
/// the option.
[[nodiscard]] Result<json::Object> recordOptions(const RecordWishes& wishes,
                                                 const std::filesystem::path& folder);

}  // namespace ulp::cli
