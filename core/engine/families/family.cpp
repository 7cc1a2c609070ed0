#include "core/engine/families/family.h"

#include <algorithm>

#include <c10/util/StringUtil.h>

namespace ulp::engine {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::count(names, name) > 0;
}

tl::unexpected<Error> notSupported(std::string_view architecture,
                                   const std::string& source,
                                   const std::vector<std::string>& supported) {
  return fail(ErrorCode::Unsupported,
              source + ": architecture '" + std::string(architecture) + "' is not supported (" +
                  c10::Join(", ", supported) + " are)");
}

}  // namespace

Result<const Family*> FamilyRegistry::forConfig(const json::Value& config,
                                                const std::string& source) const {
  const json::Array& architectures = config.at("architectures").items();
  const bool named = !architectures.empty() && architectures.front().isText();
  const std::string& name = named ? architectures.front().text() : config.at("model_type").text();
  std::vector<std::string> supported;
  for (const Family& family : m_families) {
    const FamilyInfo& info = family.info;
    if (named ? contains(info.architectures, name) : info.id == name) {
      return &family;
    }
    supported.insert(supported.end(), info.architectures.begin(), info.architectures.end());
  }
  if (name.empty()) {
    return fail(ErrorCode::CorruptData,
                source + ": names no architecture; it needs `architectures` or `model_type`");
  }
  return notSupported(name, source, supported);
}

Result<const Family*> FamilyRegistry::forGguf(std::string_view architecture,
                                              const std::string& source) const {
  std::vector<std::string> supported;
  for (const Family& family : m_families) {
    const FamilyInfo& info = family.info;
    if (contains(info.ggufArchitectures, architecture)) {
      return &family;
    }
    supported.insert(supported.end(), info.ggufArchitectures.begin(), info.ggufArchitectures.end());
  }
  return notSupported(architecture, source, supported);
}

}  // namespace ulp::engine
