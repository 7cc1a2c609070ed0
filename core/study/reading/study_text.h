#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/study/reading/study.h"

namespace ulp::study {

/// Reads a study whose text was kept when `file` held it: what loadStudy() would have given then.
[[nodiscard]] Result<Study> studyOfText(const std::filesystem::path& file,
                                        std::string_view text,
                                        const std::vector<std::string>& sets);

}  // namespace ulp::study
