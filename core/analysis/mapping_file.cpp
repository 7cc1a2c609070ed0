#include "core/analysis/mapping_file.h"

#include <cstddef>
#include <utility>

#include "core/base/atomic_file.h"

namespace ulp::analysis {

Result<MappingFile> readMappingFile(const std::filesystem::path& path) {
  constexpr std::size_t kLimitBytes = std::size_t{1} << 24;
  auto text = readTextFile(path, kLimitBytes);
  if (!text) {
    return tl::unexpected<Error>(std::move(text.error()));
  }
  auto mapping = SiteMapping::parse(*text, path.string());
  if (!mapping) {
    return tl::unexpected<Error>(std::move(mapping.error()));
  }
  return MappingFile{std::move(*text), std::move(*mapping)};
}

}  // namespace ulp::analysis
