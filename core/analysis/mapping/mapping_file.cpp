#include "core/analysis/mapping/mapping_file.h"

#include <cstddef>
#include <utility>

#include "core/base/files/atomic_file.h"

namespace ulp::analysis {

Result<MappingFile> readMappingFile(const std::filesystem::path& path) {
  constexpr std::size_t kLimitBytes = std::size_t{1} << 24;
  auto text = ULP_TRY(readTextFile(path, kLimitBytes));
  auto mapping = ULP_TRY(SiteMapping::parse(text, path.string()));
  return MappingFile{std::move(text), std::move(mapping)};
}

}  // namespace ulp::analysis
