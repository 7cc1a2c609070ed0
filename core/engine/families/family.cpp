#include "core/engine/families/family.h"

#include <algorithm>

namespace ulp::engine {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::count(names, name) > 0;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
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
  return fail(
      ErrorCode::Unsupported,
      source + ": architecture '" + name + "' is not supported (" + joined(supported) + " are)");
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
  return fail(ErrorCode::Unsupported,
              source + ": architecture '" + std::string(architecture) + "' is not supported (" +
                  joined(supported) + " are)");
}

}  // namespace ulp::engine
