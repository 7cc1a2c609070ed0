#pragma once

#include <span>
#include <string_view>

namespace ulp::cli {

/// A file that Python finds while it records: resources/python/ulpscope_record, and the recorder.
struct RecorderFile {
  std::string_view name;  ///< "sitecustomize.py"
  std::string_view text;
};
[[nodiscard]] std::span<const RecorderFile> recorderFiles();

}  // namespace ulp::cli
