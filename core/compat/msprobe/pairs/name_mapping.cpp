#include <fmt/format.h>

#include <yaml-cpp/yaml.h>

#include "core/base/files/atomic_file.h"
#include "core/compat/msprobe/pairs/pairing.h"

namespace ulp::compat::msprobe {

Result<NameMapping> readNameMapping(const std::filesystem::path& path) {
  constexpr std::size_t kLimit = std::size_t{64} << 20;
  auto text = ULP_TRY(readTextFile(path, kLimit));
  NameMapping mapping;
  const auto parsed = guarded([&] {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) {
      return false;
    }
    for (const auto& each : root) {
      mapping.emplace_back(each.first.as<std::string>(), each.second.as<std::string>());
    }
    return true;
  });
  if (!parsed || !*parsed || mapping.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: is not a list of `name of the target: name of the golden dump`{}",
                            path.string(),
                            parsed ? "" : "; " + parsed.error().message()));
  }
  return mapping;
}

}  // namespace ulp::compat::msprobe
