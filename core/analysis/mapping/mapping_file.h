#pragma once

#include <filesystem>
#include <string>

#include "core/analysis/mapping/site_mapping.h"

namespace ulp::analysis {

struct MappingFile {
  std::string text;  ///< as it stands in the file, which is what a report keeps
  SiteMapping mapping;
};

/// Reads a mapping file of at most 16 MiB. Errors: those of readTextFile() and
/// SiteMapping::parse(), both of which name the file.
[[nodiscard]] Result<MappingFile> readMappingFile(const std::filesystem::path& path);

}  // namespace ulp::analysis
